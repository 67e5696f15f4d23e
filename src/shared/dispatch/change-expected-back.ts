import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { assertTransition, type LockedReservation, mayRamp } from '../scheduling/reservations/reservation.access.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { assertIsExpectable } from './ramp.access.ts'

/**
 * Changes the expected return of a flight that is out, and restarts its alarms from the new time. Implements interface §Dispatch.
 */
export function changeExpectedBack(tx: Tx, actor: Actor, row: LockedReservation, expectedBackAt: Date): void {
  if (!mayRamp(row, actor)) throw schedulingErrors.notOnBooking()
  assertTransition('changeReturn', row)
  assertIsExpectable(expectedBackAt, tx.now)
  if (row.expected_back_at?.getTime() === expectedBackAt.getTime()) return
  tx.em.assign(row.entity, { expectedBackAt, overdueStage: 0 })
  emit(tx, actor, {
    kind: 'reservation.changed',
    subject: { kind: 'reservation', id: row.id },
    before: { expectedBackAt: row.expected_back_at?.toISOString() },
    after: { expectedBackAt: expectedBackAt.toISOString() },
  })
}
