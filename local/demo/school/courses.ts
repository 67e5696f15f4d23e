import { giveDeskGrant } from '../../../src/shared/identity/members/give-desk-grant.ts'
import { basisPoints, cents, tenths } from '../../../src/shared/platform/kernel/units.ts'
import { publishVersion } from '../../../src/shared/training/courses/publish-version.ts'
import { findVersion } from '../../../src/shared/training/courses/version.queries.ts'
import { createCourse, updateCourse } from '../../../src/shared/training/courses/write-course.ts'
import { writeLesson } from '../../../src/shared/training/courses/write-lesson.ts'
import { writeRequirement } from '../../../src/shared/training/courses/write-requirement.ts'
import { writeStage } from '../../../src/shared/training/courses/write-stage.ts'
import { giveGrant } from '../../../src/shared/training/grants/give-grant.ts'
import { buildCourse } from '../../../src/shared/training/templates/build-course.ts'
import type { DemoSchool } from './found-school.ts'
import { type CourseLesson, instrumentRequirements, instrumentStages } from './instrument-course.ts'
import type { SchoolTransaction } from './school-transaction.ts'

/** A course of the school: its published version, with the ids of lessons by name and of requirements by code. */
export interface DemoCourse {
  id: number
  versionId: number
  lessonIds: Map<string, number>
  requirementIds: Map<string, number>
}

export type CourseKey = 'private' | 'instrument'

/** Creates the private course (Part 61, from a template) and the instrument course (Part 141), and publishes both. */
export async function addCourses(
  school: SchoolTransaction,
  { actors }: DemoSchool,
  now: Date,
): Promise<Record<CourseKey, DemoCourse>> {
  const { olivia, ivan, isabel, dana } = actors
  const { id } = await school.at(now, (tx) => buildCourse(tx, olivia, 'private', { name: null, ratingId: null }))
  const fee = { enrollmentFeeCents: cents(25_000), enrollmentFeeLabel: 'Enrollment and books', targetDays: 180 }
  await school.at(now, (tx) => updateCourse(tx, olivia, id, fee))
  const instrument = await addInstrumentCourse(school, { actors }, now)
  const courses = {
    private: await publish(school, { actors }, id, now),
    instrument: await publish(school, { actors }, instrument, now),
  }
  const chief = { chiefInstructorOrgUserId: isabel.orgUserId }
  await school.at(now, (tx) => updateCourse(tx, olivia, instrument, chief))
  for (const [actor, grant, courseId] of [
    [ivan, 'checkInstructor', courses.private.id],
    [isabel, 'checkInstructor', courses.instrument.id],
    [dana, 'manageEnrollment', null],
  ] as const) {
    await school.at(now, (tx) => giveGrant(tx, olivia, { orgUserId: actor.orgUserId, grant, courseId }))
  }
  await school.at(now, (tx) => giveDeskGrant(tx, olivia, { orgUserId: dana.orgUserId, grant: 'cashier' }))
  return courses
}

async function addInstrumentCourse(
  school: SchoolTransaction,
  { actors: { olivia } }: Pick<DemoSchool, 'actors'>,
  now: Date,
): Promise<number> {
  const { id, versionId } = await school.at(now, (tx) =>
    createCourse(tx, olivia, {
      name: 'Instrument rating, airplane',
      description: 'Approved course under 14 CFR Part 141, Appendix C.',
      enrollmentFeeCents: cents(40_000),
      enrollmentFeeLabel: null,
      regulatoryPart: 'part141',
      certificateSought: 'instrument',
      ratingId: null,
      targetDays: 150,
    }),
  )
  const requirements = new Map<string, number>()
  for (const { minTenths, maxSimulatorBps, ...requirement } of instrumentRequirements) {
    const added = await school.at(now, (tx) =>
      writeRequirement(tx, olivia, versionId, {
        ...requirement,
        requirementId: null,
        minDeciHours: minTenths === null ? null : tenths(minTenths),
        source: null,
        maxSimulatorBps: maxSimulatorBps === null ? null : basisPoints(maxSimulatorBps),
        maxTransferBps: null,
        recencyCalendarMonths: null,
        recencyDays: null,
        deviceCeilings: [],
      }),
    )
    requirements.set(requirement.code, added.id)
  }
  for (const [position, { name, objective, lessons }] of instrumentStages.entries()) {
    const stage = { stageId: null, name, objective, position, requiresStageCheck: true }
    const { id: stageId } = await school.at(now, (tx) => writeStage(tx, olivia, versionId, stage))
    for (const [place, lesson] of lessons.entries()) {
      const input = { ...lessonInput(lesson, requirements), stageId, position: place }
      await school.at(now, (tx) => writeLesson(tx, olivia, versionId, input))
    }
  }
  return id
}

function lessonInput(lesson: CourseLesson, requirements: Map<string, number>) {
  const { name, kind, tenths: length, objectives, stageCheck = false, counts = [] } = lesson
  const of = (code: string) => requirements.get(code) as number
  const clock = kind === 'sim' ? 'simulator' : 'instruction'
  return {
    lessonId: null,
    name,
    kind,
    objectives,
    completionStandards: null,
    minFlightDeciHours: kind === 'ground' ? null : tenths(length),
    minGroundDeciHours: kind === 'ground' ? tenths(length) : null,
    requiresSignoff: true,
    requiresNotes: stageCheck,
    isStageCheck: stageCheck,
    credits: [
      ...(kind === 'ground' ? [] : [{ requirementId: of('IR.TRAINING'), clock, count: null } as const]),
      ...counts.map((code) => ({ requirementId: of(code), clock: null, count: 1 })),
    ],
  }
}

/** Publishes the only version of a course. */
async function publish(
  school: SchoolTransaction,
  { actors: { olivia } }: Pick<DemoSchool, 'actors'>,
  id: number,
  now: Date,
): Promise<DemoCourse> {
  return school.at(now, async (tx) => {
    const { id: versionId } = await tx.db
      .selectFrom('syllabus_version')
      .select('id')
      .where('organization_id', '=', olivia.organizationId)
      .where('course_id', '=', id)
      .executeTakeFirstOrThrow()
    await publishVersion(tx, olivia, versionId, { approvedAt: now, approvalReference: null })
    await tx.em.flush()
    const { stages, requirements } = await findVersion(tx, olivia.organizationId, versionId)
    return {
      id,
      versionId,
      lessonIds: new Map(stages.flatMap(({ lessons }) => lessons.map((lesson) => [lesson.name, lesson.id] as const))),
      requirementIds: new Map(requirements.map((one) => [one.code, one.id])),
    }
  })
}
