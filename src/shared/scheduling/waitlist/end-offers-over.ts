import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { endEntry, endOffer } from './end-offer.ts'
import { lockEntryIfAny, lockOpenOffers } from './waitlist.access.ts'

/** A booking that takes the place of offers. */
interface Booked {
  id: number
  resourceId: number | null
  seats: readonly object[]
}

/**
 * Ends the open offers whose places a booking takes; no statement runs when there are none. An offer to somebody on the booking
 * of its resource is accepted by it; others are withdrawn, and their people are notified. The caller holds the locks of the
 * slots, which accepting takes too.
 */
export async function endOffersOver(
  tx: Tx,
  by: Cause & { orgUserId: number },
  ids: readonly number[],
  booked: Booked,
): Promise<void> {
  if (ids.length === 0) return
  for (const offer of await lockOpenOffers(tx, by.organizationId, { id: { $in: [...ids] } })) {
    const isOnIt = booked.seats.some((seat) => 'orgUserId' in seat && seat.orgUserId === offer.membershipId)
    if (isOnIt && offer.resourceId === booked.resourceId) {
      await endOffer(tx, by, offer, 'accepted', { answeredBy: by.orgUserId, reservationId: booked.id })
      const entry = offer.entryId ? await lockEntryIfAny(tx, offer.organizationId, offer.entryId) : null
      if (entry?.status === 'waiting') endEntry(tx, by, entry, 'booked', booked.id)
    } else {
      const cause = offer.membershipId === by.orgUserId ? 'own_booking' : 'booked'
      await endOffer(tx, by, offer, 'withdrawn', { cause })
    }
  }
}
