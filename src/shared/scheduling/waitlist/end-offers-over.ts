import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { endEntry, endOffer } from './end-offer.ts'
import { lockEntriesOfOffers, lockOpenOffers } from './waitlist.access.ts'

/** A booking that takes the places of offers. */
export interface BookedOver {
  id: number
  resourceId: number | null
  seats: readonly object[]
  /** The open offers that end. */
  endsOffers: readonly number[]
}

/**
 * Ends the open offers whose places bookings take; no statement runs when there are none. An offer to somebody on a booking
 * of its resource is accepted by it; others are withdrawn, and their people are notified. The caller holds the locks of the
 * slots, which accepting takes too.
 */
export async function endOffersOver(
  tx: Tx,
  by: Cause & { orgUserId: number },
  booked: readonly BookedOver[],
): Promise<void> {
  const ids = [...new Set(booked.flatMap(({ endsOffers }) => endsOffers))]
  if (ids.length === 0) return
  const entries = await lockEntriesOfOffers(tx, by.organizationId, ids)
  for (const offer of await lockOpenOffers(tx, by.organizationId, { id: { $in: ids } })) {
    const own = booked.find(
      ({ endsOffers, resourceId, seats }) =>
        endsOffers.includes(offer.id) && resourceId === offer.resourceId && isOn(seats, offer.membershipId),
    )
    if (own) {
      await endOffer(tx, by, offer, 'accepted', { answeredBy: by.orgUserId, reservationId: own.id })
      const entry = entries.find(({ id }) => id === offer.entryId)
      if (entry) endEntry(tx, by, entry, 'booked', own.id)
    } else {
      const cause = offer.membershipId === by.orgUserId ? 'own_booking' : 'booked'
      await endOffer(tx, by, offer, 'withdrawn', { cause })
    }
  }
}

function isOn(seats: readonly object[], orgUserId: number): boolean {
  return seats.some((seat) => 'orgUserId' in seat && seat.orgUserId === orgUserId)
}
