import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockEnrollmentOfRecord, removeCertification } from './enrollment.access.ts'

/**
 * Removes the certification of the enrollments of these training records, because a flight now says something else than they do. A
 * graduated student keeps it.
 * Implements interface §Reservations, correct. 14 CFR 141.101(c).
 */
export async function removeCertifications(tx: Tx, actor: Actor, recordIds: readonly number[]): Promise<void> {
  for (const recordId of recordIds.toSorted((one, other) => one - other)) {
    const enrollment = await lockEnrollmentOfRecord(tx, actor, recordId)
    if (enrollment && enrollment.status !== 'graduated') removeCertification(tx, actor, enrollment)
  }
}
