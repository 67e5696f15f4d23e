import type { Tx } from '../platform/db/transaction.ts'
import type { Cause } from '../platform/events/emit.ts'
import { endHolds } from '../scheduling/booking-requests/booking-request.access.ts'
import type { EndedAt } from '../scheduling/rules/resource.rules.ts'
import { type BookedOver, endOffersOver } from '../scheduling/waitlist/end-offers-over.ts'

/** Ends the unconfirmed holds and the open offers whose places bookings take. The caller holds the locks of the slots. */
export async function endHeldPlaces(
  tx: Tx,
  by: Cause & { orgUserId: number },
  placed: readonly (BookedOver & EndedAt)[],
): Promise<void> {
  const held = new Set(placed.flatMap(({ endsHoldsOf }) => endsHoldsOf))
  if (held.size > 0) await endHolds(tx, by.organizationId, [...held])
  await endOffersOver(tx, by, placed)
}
