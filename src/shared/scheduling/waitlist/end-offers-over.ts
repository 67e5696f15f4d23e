import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { endEntry, endOffer } from './end-offer.ts'
import { findBookingOf, isSeatedOn } from './open-offers.queries.ts'
import { lockEntriesOfOffers, lockOpenOffers } from './waitlist.access.ts'

/** A booking that takes the places of offers. */
export interface BookedOver {
  id: number
  /** The open offers that end. */
  endsOffers: readonly number[]
}

/**
 * Ends the open offers whose places written bookings take; no statement runs when there are none. An offer of the waiting list is
 * accepted by a booking of its person that is what it offers; others are withdrawn, and their people are notified. The caller
 * holds the locks of the slots, which accepting takes too.
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
    const over = booked.filter(({ endsOffers }) => endsOffers.includes(offer.id)).map(({ id }) => id)
    const reservationId = await findBookingOf(tx.db, offer, over)
    if (reservationId !== null) {
      await endOffer(tx, by, offer, 'accepted', { answeredBy: by.orgUserId, reservationId })
      const entry = entries.find(({ id }) => id === offer.entryId)
      if (entry) endEntry(tx, by, entry, 'booked', reservationId)
    } else {
      const cause = (await isSeatedOn(tx.db, offer, over)) ? 'own_booking' : 'booked'
      await endOffer(tx, by, offer, 'withdrawn', { cause })
    }
  }
}
