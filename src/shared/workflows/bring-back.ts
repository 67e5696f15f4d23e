import { dispatchErrors } from '../dispatch/dispatch.errors.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import {
  type LockedReservation,
  lockReservation,
  storedBooking,
} from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import { planBooking } from '../scheduling/rules/plan-booking.ts'
import { makeLive } from './restore-reservation.ts'

/**
 * Brings back a booking that the service cancelled as a no-show, for the ramp-out by somebody on it before its booked end: the aircraft may
 * have left before its ramp-out could be recorded. Its proposed fee is dropped. Any other booking is returned as it is.
 * Implements interface §Dispatch: no-shows.
 * @throws Conflict when its aircraft or somebody on it is booked by now
 */
export async function bringBack(tx: Tx, actor: Actor, row: LockedReservation): Promise<LockedReservation> {
  const isSeated = row.seats.some(({ orgUserId }) => orgUserId === actor.orgUserId)
  const isNoShow = row.cancellation_category === 'no_show' && row.cancelled_by === null
  if (!isNoShow || !isSeated || tx.now >= row.ends_at || row.collection_style === 'prepaid_fixed') return row
  const booking = { ...storedBooking(row), id: null }
  await lockSlots(
    tx.db,
    { resourceIds: row.resource ? [row.resource.id] : [], seats: booking.seats },
    { planOnce: true },
  )
  const { judged } = await planBooking(tx.db, actor, tx.now, booking)
  const [place] = judged
  if (!place || place.problems.some(({ rule }) => rule === 'resource_clash' || rule === 'person_clash')) {
    throw dispatchErrors.placeTaken()
  }
  await makeLive(tx, actor, row, place)
  return lockReservation(tx, actor, row.id)
}
