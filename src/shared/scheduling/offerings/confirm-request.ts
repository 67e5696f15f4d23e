import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockForConfirmation } from '../booking-requests/booking-request.access.ts'
import { transitions } from '../booking-requests/booking-request.states.ts'
import { lockSlots } from '../reservations/slots.access.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { findHeldResource } from './holds.queries.ts'

/** A confirmed request, and whether a booking by desk staff had ended its hold before the confirmation. */
interface Confirmed {
  id: number
  holdEnded: boolean
}

/**
 * Confirms a guest's request with the mailed token: the request becomes pending, and its sender becomes a guest of the
 * organization. Of two concurrent uses of a token one succeeds. When the hold has ended, the aircraft stays on the request as
 * a preference; `holdEnded` is true when a booking by desk staff ended it. Implements interface §Booking requests.
 */
export async function confirmRequest(tx: Tx, mailTokens: MailTokens, token: string): Promise<Confirmed> {
  const tokenHash = mailTokens.hashOf(token)
  const resourceId = await findHeldResource(tx.db, tokenHash, tx.now)
  // A booking by desk staff over the hold takes the same lock: either it finds the confirmed request, or this finds that the
  // hold has ended.
  if (resourceId !== null) await lockSlots(tx.db, { resourceIds: [resourceId], seats: [] })
  const request = await lockForConfirmation(tx, tokenHash)
  if (!request) throw schedulingErrors.confirmationExpired()
  if (request.startsAt <= tx.now) throw schedulingErrors.timePassed()
  const { id, organizationId } = request
  const guestId = await findOrAddGuest(tx, organizationId, {
    name: request.guestName ?? '',
    email: request.guestEmail ?? null,
    phone: request.guestPhone ?? null,
  })
  tx.em.assign(request, { status: transitions.confirm.to, confirmedAt: tx.now, guestId, networkMark: null })
  await tx.db
    .insertInto('booking_request_seat')
    .values({
      organization_id: organizationId,
      booking_request_id: id,
      side: 'guests',
      position: 0,
      guest_id: guestId,
    })
    .execute()
  const by = { organizationId, orgUserId: null }
  emit(tx, by, { kind: 'booking_request.submitted', subject: { kind: 'booking_request', id } })
  return { id, holdEnded: request.holdEndedAt != null }
}
