import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { assertTransition } from '../assert-transition.ts'
import { Enrollment } from './enrollment.entity.ts'
import { type EnrollmentTrigger, enrollmentTransitions } from './enrollment.states.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** The enrollment to act on, locked: its records and credits change only behind this lock. @throws NotFound */
export async function lockEnrollment(tx: Tx, { organizationId }: Actor, id: number): Promise<Enrollment> {
  const enrollment = await tx.em.findOne(Enrollment, { id, organizationId }, locked)
  if (!enrollment) throw new NotFound('There is no such enrollment.')
  return enrollment
}

/** The same for one that a body names. @throws Invalid naming the field */
export async function lockNamedEnrollment(tx: Tx, { organizationId }: Actor, id: number): Promise<Enrollment> {
  const enrollment = await tx.em.findOne(Enrollment, { id, organizationId }, locked)
  if (!enrollment) throw new Invalid('enrollmentId: there is no such enrollment')
  return enrollment
}

/** Lets the records and credits of an enrollment change, which takes its certification back. @throws Conflict */
export function mustAllowChange(
  enrollment: Enrollment,
  trigger: Extract<EnrollmentTrigger, 'grade' | 'putRight'>,
): void {
  assertTransition(enrollmentTransitions, enrollment.status, trigger)
  enrollment.certifiedAt = null
  enrollment.certifiedBy = null
}
