import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { lockReservation, mayRamp } from '../scheduling/reservations/reservation.access.ts'
import { noShowAt } from './no-show.rules.ts'

/**
 * Notes that somebody who may ramp a booking out was refused it: they came, so that the service does not cancel the booking as a no-show.
 * Does nothing when the booking is never a no-show.
 * Implements interface §Dispatch: no-shows.
 */
export async function noteRefusedRampOut(tx: Tx, actor: Actor, id: number): Promise<void> {
  const row = await lockReservation(tx, actor, id)
  if (!mayRamp(row, actor) || noShowAt(row, actor.organization.settings.noShowMinutes) === null) return
  emit(tx, actor, { kind: 'reservation.ramp_out_refused', subject: { kind: 'reservation', id } })
}
