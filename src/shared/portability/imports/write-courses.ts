import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { createVersion } from '../../training/courses/create-version.ts'
import { appendices } from '../../training/courses/device-ceilings.rules.ts'
import { publishVersion, retireVersion, setGraduationWithinDays } from '../../training/courses/publish-version.ts'
import { replaceGradingScale } from '../../training/courses/replace-grading-scale.ts'
import { replaceTasks } from '../../training/courses/replace-tasks.ts'
import { setDeviceCeilings } from '../../training/courses/set-device-ceilings.ts'
import { versionStates } from '../../training/courses/version.states.ts'
import { createCourse } from '../../training/courses/write-course.ts'
import { writeLesson } from '../../training/courses/write-lesson.ts'
import { writeRequirement } from '../../training/courses/write-requirement.ts'
import { writeStage } from '../../training/courses/write-stage.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import { line, moment, whole, word } from '../reading/parsers.rules.ts'
import { Ceilings, CourseShape, GradeOptions, Requirements, Stages } from '../reading/read-course.ts'
import { nested } from '../reading/read-nested.ts'
import { importKind } from './import.types.ts'
import { findKnownVersions } from './known-work.queries.ts'
import { isNamed, nameKey } from './match.rules.ts'

const columns = {
  course: required(nested(CourseShape), {
    isNested: true,
    example: '{"name": "Tailwheel"}',
    doc: 'The course: an object with its name',
  }),
  label: required(line(100), { example: 'Rev A', doc: 'The name of the version', aliases: ['version'] }),
  state: optional(word(versionStates), { example: 'published', doc: 'draft, published or retired; blank: draft' }),
  approvedAt: optional(moment, { example: '', doc: 'When the FAA approved it', isDate: true }),
  approvalReference: optional(line(200), { example: '', doc: 'Where the approval is written down' }),
  appendix: optional(word(appendices), { example: '', doc: 'Of 14 CFR Part 141: b, c or d' }),
  graduationWithinDays: optional(whole(1, 1000), {
    example: '',
    doc: 'Days in which graduates can take the test by their certificate; blank: 60',
  }),
  deviceCeilings: optional(nested(Ceilings), {
    isNested: true,
    example: '',
    doc: 'Ceilings of time in devices, a list',
  }),
  gradeOptions: optional(nested(GradeOptions), {
    isNested: true,
    example: '',
    doc: 'The grading scale, a list; blank: the usual one',
  }),
  requirements: required(nested(Requirements), {
    isNested: true,
    example: '[{"id": 1, "code": "LANDINGS", "label": "Landings", "minCount": 10}]',
    doc: 'The requirements, a list as GET /training/versions/{id} has it',
  }),
  stages: required(nested(Stages), {
    isNested: true,
    example:
      '[{"name": "Stage 1", "lessons": [{"name": "Wheel landings", "kind": "flight", "credits": [{"requirementId": 1, "count": 5}]}]}]',
    doc: 'The stages with their lessons, tasks and credits, a list as GET /training/versions/{id} has it',
  }),
}

type Row = RowOf<typeof columns>

/**
 * Imports versions of courses, each with its whole syllabus. A row is matched with a stored version by the name of the
 * course and the label. A stored version is not changed.
 */
export const importCourses = importKind({
  columns,
  bringsAddresses: false,
  nested: true,
  most: { rows: 500, atOnce: 1 },
  namesOf: ({ course, label }) => [`${nameKey(course.name)} ${nameKey(label)}`],
  externalIdOf: () => null,
  async open(tx, actor) {
    return async (row) => {
      const known = (await findKnownVersions(tx.db, actor.organizationId)).filter((one) =>
        isNamed(one.course, row.course.name),
      )
      const stored = known.find((one) => isNamed(one.label, row.label))
      if (stored) return { outcome: 'unchanged', id: stored.id }
      const id = await begin(tx, actor, row, known[0]?.courseId ?? null)
      await writeSyllabus(tx, actor, id, row)
      if (row.state === 'published' || row.state === 'retired') {
        const { approvedAt = null, approvalReference = null } = row
        await publishVersion(tx, actor, id, { approvedAt, approvalReference })
        if (row.state === 'retired') await retireVersion(tx, actor, id, true)
      }
      return { outcome: 'created', id }
    }
  },
})

/** Creates an empty draft of a stored course or, for a null id, of a new course. Returns the id of the version. */
async function begin(tx: Tx, actor: Actor, { course, label }: Row, courseId: number | null): Promise<number> {
  if (courseId !== null) return (await createVersion(tx, actor, courseId, { label, copyFromVersionId: null })).id
  return (await createCourse(tx, actor, course, label)).versionId
}

/** Writes the syllabus of a draft. Credits refer to requirements by the ids in the file. */
async function writeSyllabus(tx: Tx, actor: Actor, versionId: number, row: Row): Promise<void> {
  const { appendix = null, deviceCeilings, graduationWithinDays, gradeOptions, requirements, stages } = row
  if (graduationWithinDays) await setGraduationWithinDays(tx, actor, versionId, graduationWithinDays)
  if (gradeOptions) await replaceGradingScale(tx, actor, versionId, gradeOptions)
  if (appendix || deviceCeilings) await setDeviceCeilings(tx, actor, versionId, { appendix, deviceCeilings })
  const ids = new Map<number, number>()
  for (const { id: named, ...requirement } of requirements) {
    const { id } = await writeRequirement(tx, actor, versionId, { ...requirement, requirementId: null })
    if (named !== null) ids.set(named, id)
  }
  for (const [position, { lessons, ...stage }] of stages.entries()) {
    const { id: stageId } = await writeStage(tx, actor, versionId, { ...stage, position, stageId: null })
    for (const [at, { tasks, credits, ...lesson }] of lessons.entries()) {
      const given = credits.map((credit) => ({ ...credit, requirementId: ids.get(credit.requirementId) ?? 0 }))
      const place = { lessonId: null, stageId, position: at }
      const { id: lessonId } = await writeLesson(tx, actor, versionId, { ...lesson, ...place, credits: given })
      if (tasks.length > 0) await replaceTasks(tx, actor, { versionId, lessonId }, tasks)
    }
  }
}
