import { LockMode, raw } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/seals/seal.ts'
import { Enrollment } from '../enrollments.tables.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { type EnrollmentTrigger, enrollmentTransitions } from './enrollment.states.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** Returns an enrollment with its row locked until the commit. Its records and credits change only under this lock. */
export async function lockEnrollment(tx: Tx, { organizationId }: Actor, id: number): Promise<Enrollment> {
  const enrollment = await tx.em.findOne(Enrollment, { id, organizationId }, locked)
  if (!enrollment) throw trainingErrors.noSuchEnrollment()
  return enrollment
}

/**
 * Returns the enrollment of a training record with its row locked until the commit; null when the organization has no
 * such record.
 */
export async function lockEnrollmentOfRecord(
  tx: Tx,
  { organizationId }: Actor,
  recordId: number,
): Promise<Enrollment | null> {
  const id = raw<number>('(select enrollment_id from training_record where organization_id = ? and id = ?)', [
    organizationId,
    recordId,
  ])
  return tx.em.findOne(Enrollment, { organizationId, id }, locked)
}

/** Returns an enrollment that a request body names, with its row locked until the commit. */
export async function lockNamedEnrollment(tx: Tx, { organizationId }: Actor, id: number): Promise<Enrollment> {
  const enrollment = await tx.em.findOne(Enrollment, { id, organizationId }, locked)
  if (!enrollment) throw trainingErrors.unknownEnrollment({ field: 'enrollmentId' })
  return enrollment
}

/**
 * Checks that records and credits of an enrollment can change, and removes its certification. Exception: when the
 * enrollment has ended, a late signature for training before the certification does not remove it.
 * Implements interface §Enrollment. 14 CFR 141.101(c).
 */
export function assertAllowsChange(
  tx: Tx,
  actor: Actor,
  enrollment: Enrollment,
  trigger: Extract<EnrollmentTrigger, 'grade' | 'correct'>,
  signedTraining?: { trainedAt: Date },
): void {
  assertTransition(enrollmentTransitions, enrollment.status, trigger)
  const ended = enrollment.status !== 'enrolled'
  if (ended && signedTraining && enrollment.certifiedAt && signedTraining.trainedAt < enrollment.certifiedAt) return
  removeCertification(tx, actor, enrollment)
}

/** Removes the certification of a locked enrollment, if it has one. */
export function removeCertification(tx: Tx, actor: Actor, enrollment: Enrollment): void {
  if (enrollment.certifiedAt) {
    seal(tx, actor, 'enrollment.certification_removed', { id: enrollment.id, of: enrollment.membershipId })
  }
  enrollment.certifiedAt = null
  enrollment.certifiedBy = null
  enrollment.certifiedAs = null
}

/** Checks that an aircraft of the organization can be planned for a test, and keeps it until the commit. */
export async function assertIsAircraft(tx: Tx, { organizationId }: Actor, id: number, field: string): Promise<void> {
  const aircraft = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('kind', '=', 'plane')
    .forKeyShare()
    .executeTakeFirst()
  if (!aircraft) throw trainingErrors.unknownAircraft({ field })
}
