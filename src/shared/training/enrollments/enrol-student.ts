import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { courseOf } from '../courses/course.access.ts'
import type { RegulatoryPart } from '../courses/syllabus.rules.ts'
import { lockNamedVersion } from '../courses/version.access.ts'
import { versionTransitions } from '../courses/version.states.ts'
import { Enrollment } from '../enrollments.tables.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { isEnrolled } from './enrollment.queries.ts'

export interface NewEnrollment {
  versionId: number
  orgUserId: number
  instructorOrgUserId: number | null
  enrollmentCertificateNumber: string | null
  /** When the student was enrolled, in the past; absent: now. */
  enrolledAt?: Date
}

/**
 * Enrolls a member on a published version and stores the course's current fee. A student has one open enrollment per
 * course.
 * Implements interface §Enrollment: POST /training/enrollments.
 */
export async function enrolStudent(
  tx: Tx,
  actor: Actor,
  input: NewEnrollment,
): Promise<{ id: number; regulatoryPart: RegulatoryPart }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const { organizationId } = actor
  const version = await lockNamedVersion(tx, actor, input.versionId)
  await assertIsMember(tx, actor, input.orgUserId, 'orgUserId')
  await assertIsAnotherInstructor(tx, actor, input)
  assertTransition(versionTransitions, version.state, 'enrol')
  const { courseId, id: versionId } = version
  const course = await courseOf(tx, version)
  if (course.archived) throw trainingErrors.courseArchived()
  const membershipId = input.orgUserId
  if (await isEnrolled(tx.db, organizationId, { courseId, membershipId })) {
    throw platformErrors.enrolledAlready()
  }
  const enrollment = tx.em.create(Enrollment, {
    organizationId,
    courseId,
    versionId,
    membershipId,
    instructorId: input.instructorOrgUserId,
    feeCents: course.enrollmentFeeCents ?? null,
    feeLabel: course.enrollmentFeeLabel ?? null,
    enrollmentCertificateNumber: input.enrollmentCertificateNumber,
    createdAt: input.enrolledAt ?? tx.now,
  })
  await tx.em.flush()
  return { id: enrollment.id, regulatoryPart: course.regulatoryPart }
}

/** Checks that the named instructor of an enrollment is an instructor and not the student; null passes. */
export async function assertIsAnotherInstructor(
  tx: Tx,
  actor: Actor,
  { instructorOrgUserId, orgUserId }: Pick<NewEnrollment, 'instructorOrgUserId' | 'orgUserId'>,
): Promise<void> {
  if (instructorOrgUserId === null) return
  await assertIsMember(tx, actor, instructorOrgUserId, 'instructorOrgUserId', ['instructor'])
  if (instructorOrgUserId === orgUserId) throw trainingErrors.ownInstructor()
}
