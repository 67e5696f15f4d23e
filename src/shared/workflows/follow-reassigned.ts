import { billingErrors } from '../billing/billing.errors.ts'
import { samePayer } from '../billing/flight-bill/flight-bill.types.ts'
import { flightChargeOf } from '../billing/flight-bill/flight-charge.ts'
import { payersRaised, payersTakenOff } from '../billing/flight-bill/shares.rules.ts'
import { createMeeting } from '../communication/communication.jobs.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { findRequestOf } from '../scheduling/booking-requests/booking-request.access.ts'
import { decidesForPayers, payersOf } from '../scheduling/reservations/payers.rules.ts'
import { isSamePerson, payerWouldChange, type Seated } from '../scheduling/reservations/place.rules.ts'
import type { LockedReservation } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'

const WHOLE_BPS = 10_000

/**
 * Checks that a change of a booking's people charges nobody who did not agree to it.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
export function assertChargesStand(actor: Actor, row: ReservationRow, to: readonly Seated[]): void {
  assertKeepsPayer(row, to)
  assertDoesNotJoinPrepaid(actor, row, to)
  assertKeepsShares(actor, row, to)
}

/**
 * Checks that the invoice of a prepaid package keeps its payer.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
function assertKeepsPayer(row: ReservationRow, to: readonly Seated[]): void {
  if (row.collection_style !== 'prepaid_fixed' || !payerWouldChange(row.type, row.seats, to)) return
  if (row.invoices.some(({ stands }) => stands)) throw schedulingErrors.prepaidStands()
}

/**
 * Checks that a member who can charge other people for a prepaid booking does not take a seat for themself on it, other than the
 * instructor's, while its package invoice stands. Another member of the desk staff may give them the seat.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
function assertDoesNotJoinPrepaid(actor: Actor, row: ReservationRow, to: readonly Seated[]): void {
  if (row.collection_style !== 'prepaid_fixed' || !row.invoices.some(({ stands }) => stands)) return
  if (decidesForPayers(actor, row) && !decidesForPayers(actor, { seats: to })) throw billingErrors.prepaidForOther()
}

/**
 * Checks that a change of people does not raise another payer's part of the costs, and gives a new payer at most an even part. The
 * actor's own part may rise. When the booking has stakes, no other payer may be removed, so that the stakes stay valid. None of this
 * applies to an actor who decides for the payers.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
function assertKeepsShares(actor: Actor, row: ReservationRow, to: readonly Seated[]): void {
  if (decidesForPayers(actor, row)) return
  const before = flightChargeOf(row, actor.organization.settings)
  const payers = payersOf(row.type, to).map(({ orgUserId, guestId }) => ({ orgUserId, guestId, name: '' }))
  const stakes = before.stakes.filter((stake) => payers.some((payer) => samePayer(payer, stake)))
  const after = { ...before, payers, stakes }
  if (payersTakenOff(before, after, actor.orgUserId).length > 0) throw billingErrors.payerStays()
  if (payersRaised(before, after, actor.orgUserId).length > 0) throw billingErrors.shareNotYours()
}

/**
 * Removes the stakes of people who left a booking. When the instructor of a ground lesson changed, a job creates a new video call for
 * it. Returns whether the percentages of the remaining stakes no longer add up to 100 %.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
export async function followReassigned(tx: Tx, row: LockedReservation, to: readonly Seated[]): Promise<boolean> {
  const isOn = (seats: readonly Omit<Seated, 'side'>[]) => (one: Omit<Seated, 'side'>) =>
    seats.some((seat) => isSamePerson(seat, one))
  const instructors = (seats: readonly Seated[]) => seats.filter(({ side }) => side === 'instructors')
  if (row.meeting_url !== null && row.type === 'ground' && !instructors(row.seats).every(isOn(instructors(to)))) {
    await makeMeetingAnew(tx, row)
  }
  const gone = row.stakes.filter((stake) => !isOn(to)(stake))
  if (gone.length === 0) return false
  await tx.db
    .deleteFrom('payer_stake')
    .where('organization_id', '=', row.entity.organizationId)
    .where('reservation_id', '=', row.id)
    .where((eb) =>
      eb.or(
        gone.map(({ orgUserId, guestId }) =>
          orgUserId === null ? eb('guest_id', '=', guestId) : eb('membership_id', '=', orgUserId),
        ),
      ),
    )
    .execute()
  const shares = row.stakes.filter((stake) => stake.kind === 'percentage' && isOn(to)(stake))
  return shares.length > 0 && shares.reduce((sum, { percentageBps }) => sum + (percentageBps ?? 0), 0) !== WHOLE_BPS
}

/** Enqueues a new video call for a booking whose request asked for one. */
export async function makeMeetingAnew(tx: Tx, { entity }: LockedReservation): Promise<void> {
  const { organizationId, id: reservationId } = entity
  const request = await findRequestOf(tx, organizationId, reservationId)
  if (!request?.meeting) return
  tx.em.assign(request, { meetingUrl: null, meetingError: null })
  entity.meetingUrl = null
  // The delivery of the first meeting is marked as done. Without its row, the job creates another meeting.
  await tx.db
    .deleteFrom('delivery')
    .where('kind', '=', 'meeting')
    .where('subject', '=', `booking-request/${request.id}`)
    .execute()
  tx.enqueue(createMeeting, { organizationId, bookingRequestId: request.id })
}
