import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { assertTransition, type LockedReservation, mayRamp } from '../scheduling/reservations/reservation.access.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { mustBeExpectable } from './ramp.access.ts'

/**
 * Says of a flight that is out when it is expected back; its alarms count from then. Implements interface §Dispatch.
 * @throws Forbidden for a caller who may not ramp it.
 * @throws Invalid when it is not out, and for a time that has passed or is too far ahead.
 */
export function changeExpectedBack(tx: Tx, actor: Actor, row: LockedReservation, expectedBackAt: Date): void {
  if (!mayRamp(row, actor)) throw schedulingErrors.notOnBooking()
  assertTransition('rampIn', row)
  mustBeExpectable(expectedBackAt, tx.now)
  if (row.expected_back_at?.getTime() === expectedBackAt.getTime()) return
  tx.em.assign(row.entity, { expectedBackAt, overdueStage: 0 })
  emit(tx, actor, {
    kind: 'reservation.changed',
    subject: { kind: 'reservation', id: row.id },
    before: { expectedBackAt: row.expected_back_at?.toISOString() },
    after: { expectedBackAt: expectedBackAt.toISOString() },
  })
}
