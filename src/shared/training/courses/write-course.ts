import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { qualificationErrors } from '../../qualification/qualification.errors.ts'
import { findRating } from '../../qualification/ratings.rules.ts'
import { SyllabusVersion, TrainingCourse } from '../courses.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { lockCourse } from './course.access.ts'
import { defaultGradingScale } from './grading.rules.ts'
import type { certificates, RegulatoryPart } from './syllabus.rules.ts'

interface NewCourse {
  name: string
  description: string | null
  enrollmentFeeCents: Cents | null
  enrollmentFeeLabel: string | null
  regulatoryPart: RegulatoryPart
  certificateSought: (typeof certificates)[number] | null
  ratingId: number | null
  targetDays: number | null
}

/** The label of a course's first version. */
const FIRST_LABEL = 'Rev A'

/**
 * Creates a course with an empty draft of its syllabus. The label of the draft is the given one, or `Rev A`.
 * Implements interface §Syllabus version: POST courses.
 */
export async function createCourse(
  tx: Tx,
  actor: Actor,
  input: NewCourse,
  label: string = FIRST_LABEL,
): Promise<{ id: number; versionId: number }> {
  await assertHolds(tx, actor, ['configureTraining'])
  assertIsRating(input.ratingId)
  const { organizationId } = actor
  const course = tx.em.create(TrainingCourse, { organizationId, ...input })
  await tx.em.flush()
  const version = tx.em.create(SyllabusVersion, {
    organizationId,
    courseId: course.id,
    label,
    gradingScale: [...defaultGradingScale],
  })
  await tx.em.flush()
  return { id: course.id, versionId: version.id }
}

/** Checks that a rating exists; null passes. */
function assertIsRating(ratingId: number | null): void {
  if (ratingId !== null && !findRating(ratingId)) throw qualificationErrors.unknownRating({ field: 'ratingId' })
}

/** The fields of a course that can change: all but its regulatory part. */
type CourseChanges = Partial<Omit<NewCourse, 'regulatoryPart'>> & {
  archived?: boolean | undefined
  chiefInstructorOrgUserId?: number | null | undefined
}

/**
 * Changes the given fields. A new fee applies to later enrollments; an archived course accepts no new enrollments.
 * Implements interface §Training: PATCH /training/courses/{courseId}.
 */
export async function updateCourse(tx: Tx, actor: Actor, id: number, changes: CourseChanges): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['configureTraining'])
  const course = await lockCourse(tx, actor, id)
  assertIsRating(changes.ratingId ?? null)
  const { chiefInstructorOrgUserId: chiefInstructorId, ...others } = changes
  if (chiefInstructorId) await assertIsMember(tx, actor, chiefInstructorId, 'chiefInstructorOrgUserId', ['instructor'])
  const given = Object.entries({ ...others, chiefInstructorId }).filter(([, value]) => value !== undefined)
  tx.em.assign(course, Object.fromEntries(given))
  return { id }
}
