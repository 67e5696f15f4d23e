import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Tenths } from '../platform/kernel/units.ts'
import { assertTransition, lockReservation } from '../scheduling/reservations/reservation.access.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { bookedBriefing, confirmingSide, isSignedOff, measuredByBriefing } from './sign-off.rules.ts'

/**
 * Signs the figures of a flight for the caller's side; the last required signature signs the flight off. For a booking
 * measured by briefing it also stores the briefing: `input.briefing` in tenths, or the booked time when that is null.
 * Implements interface §Reservation lifecycle, trigger confirmReview.
 * @throws Forbidden when the caller is not seated on the booking.
 * @throws Invalid when there is nothing to confirm yet, the side has signed or does not sign, or the briefing is set
 * already.
 */
export async function confirmReview(
  tx: Tx,
  actor: Actor,
  id: number,
  input: { briefing: Tenths | null },
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, id)
  const byBriefing = measuredByBriefing(row.type, row.resource?.kind ?? null)
  const side = confirmingSide(row, actor.orgUserId)
  if (typeof side !== 'string' && side.status === 403) throw side
  const briefed = byBriefing && (row.briefing_tenths !== null || row.starts_at <= tx.now)
  assertTransition('confirmReview', row, { briefed })
  if (typeof side !== 'string') throw side
  if (input.briefing !== null && !byBriefing) throw dispatchErrors.notByBriefing()
  if (byBriefing && row.briefing_tenths === null) {
    row.entity.briefingTenths = input.briefing ?? bookedBriefing({ start: row.starts_at, end: row.ends_at })
  } else if (input.briefing !== null && input.briefing !== row.briefing_tenths) {
    throw dispatchErrors.briefingSet()
  }
  const { organizationId: organization_id, orgUserId: membership_id } = actor
  await tx.db
    .insertInto('confirmation')
    .values({ organization_id, reservation_id: id, membership_id, side, confirmed_at: tx.now })
    .execute()
  const confirmations = [...row.confirmations, { side, orgUserId: actor.orgUserId }]
  emit(tx, actor, { kind: 'reservation.confirmed', subject: { kind: 'reservation', id }, after: { side } })
  if (isSignedOff({ ...row, confirmations })) {
    row.entity.signedOffAt = tx.now
    emit(tx, actor, { kind: 'reservation.signed_off', subject: { kind: 'reservation', id } })
  }
  return { id }
}
