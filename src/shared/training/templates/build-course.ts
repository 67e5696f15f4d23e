import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { basisPoints, tenths } from '../../platform/kernel/units.ts'
import { setDeviceCeilings } from '../courses/set-device-ceilings.ts'
import { createCourse } from '../courses/write-course.ts'
import { storedCeilings } from '../courses/write-requirement.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { acsTasks } from './acs-tasks.ts'
import type { CreditsTemplate, LessonTemplate, SyllabusTemplate } from './syllabus-template.ts'
import { syllabusTemplates } from './syllabus-templates.ts'

/**
 * The transfer ceiling under Part 61, in basis points: all time counts, at whichever school it was logged. Under Part
 * 141 the shares of 141.77(c) apply.
 */
const ALL_OF_IT = basisPoints(10_000)

/**
 * Creates a course with a draft syllabus from a template, under Part 61 or an appendix of Part 141.
 * Implements interface §Training: POST /training/templates/{templateKey}.
 */
export async function buildCourse(
  tx: Tx,
  actor: Actor,
  key: string,
  given: { name: string | null; ratingId: number | null },
): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['configureTraining'])
  const template = syllabusTemplates.find((one) => one.key === key)
  if (!template) throw trainingErrors.noSuchTemplate()
  const { appendix } = template
  const regulatoryPart = appendix ? 'part141' : 'part61'
  const course = await createCourse(tx, actor, {
    name: given.name ?? template.name,
    description: template.description,
    enrollmentFeeCents: null,
    enrollmentFeeLabel: null,
    regulatoryPart,
    certificateSought: template.certificateSought,
    ratingId: given.ratingId ?? template.ratingId,
    targetDays: null,
  })
  if (appendix) await setDeviceCeilings(tx, actor, course.versionId, { appendix })
  const part = { organization_id: actor.organizationId, version_id: course.versionId }
  const requirements = await addRequirements(tx, part, template)
  for (const [position, { name, objective, lessons }] of template.stages.entries()) {
    const stage = await tx.db
      .insertInto('syllabus_stage')
      .values({
        ...part,
        name,
        objective,
        position,
        requires_stage_check: lessons.some((lesson) => lesson.stageCheck),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addLessons(tx, { ...part, stage_id: stage.id }, lessons, requirements)
  }
  return { id: course.id }
}

type Part = { organization_id: number; version_id: number }

async function addRequirements(
  tx: Tx,
  part: Part,
  { requirements, appendix }: SyllabusTemplate,
): Promise<Map<string, number>> {
  const rows = await tx.db
    .insertInto('syllabus_requirement')
    .values(
      requirements.map(({ code, label, deciHours, count, simulatorBps, months, days, source, devices = [] }) => ({
        ...part,
        code,
        label,
        min_tenths: deciHours === undefined ? null : tenths(deciHours),
        min_count: count ?? null,
        source: source ?? (appendix ? ('part141' as const) : ('part61' as const)),
        max_simulator_bps: simulatorBps === undefined ? null : basisPoints(simulatorBps),
        max_transfer_bps: appendix ? null : ALL_OF_IT,
        recency_calendar_months: months ?? null,
        recency_days: days ?? null,
        device_ceilings: storedCeilings(
          devices.map(({ kinds, bps }) => ({ deviceKinds: kinds, bps: basisPoints(bps) })),
        ),
      })),
    )
    .returning(['id', 'code'])
    .execute()
  return new Map(rows.map(({ code, id }) => [code, id]))
}

async function addLessons(
  tx: Tx,
  { stage_id, ...part }: Part & { stage_id: number },
  lessons: readonly LessonTemplate[],
  requirements: Map<string, number>,
): Promise<void> {
  const rows = await tx.db
    .insertInto('syllabus_lesson')
    .values(
      lessons.map((lesson, position) => ({
        ...part,
        stage_id,
        name: lesson.name,
        position,
        kind: lesson.kind,
        objectives: lesson.objectives,
        completion_standards: lesson.standards,
        min_flight_tenths: lesson.flight === undefined ? null : tenths(lesson.flight),
        min_ground_tenths: lesson.ground === undefined ? null : tenths(lesson.ground),
        is_stage_check: lesson.stageCheck ?? false,
      })),
    )
    .returning(['id', 'position'])
    .execute()
  const ids = new Map(rows.map(({ position, id }) => [position, id]))
  const ofLesson = (position: number) => ({ ...part, lesson_id: ids.get(position) ?? 0 })
  const tasks = lessons.flatMap((lesson, position) =>
    tasksOf(lesson).map((task) => ({ ...ofLesson(position), ...task })),
  )
  const credits = lessons.flatMap(({ credits: all = {} }, position) =>
    creditsOf(all, requirements).map((credit) => ({ ...ofLesson(position), ...credit })),
  )
  if (tasks.length > 0) await tx.db.insertInto('syllabus_task').values(tasks).execute()
  if (credits.length > 0) await tx.db.insertInto('syllabus_credit').values(credits).execute()
}

function tasksOf({ tasks }: LessonTemplate) {
  return tasks.map((task, position) =>
    typeof task === 'string'
      ? { position, name: acsTasks[task], acs_code: task }
      : { position, name: task.name, acs_code: null },
  )
}

function creditsOf(credits: CreditsTemplate, requirements: Map<string, number>) {
  return Object.entries(credits).map(([code, amount]) => ({
    requirement_id: requirements.get(code) ?? 0,
    clock: typeof amount === 'string' ? amount : null,
    count: typeof amount === 'number' ? amount : null,
  }))
}
