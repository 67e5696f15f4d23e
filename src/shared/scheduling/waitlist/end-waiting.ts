import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { overlaps } from '../../platform/kernel/instants.ts'
import { endEntry, endOffer, placeOf, withdrawOffers } from './end-offer.ts'
import { lockEntries, lockOpenOffers } from './waitlist.access.ts'

/**
 * Ends the entries of a member who leaves, and withdraws the open offers to them and of their hours. The caller holds the lock
 * of the member, which making an entry takes too.
 */
export async function endWaitingOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  by: Cause,
): Promise<void> {
  const entries = await lockEntries(tx, organizationId, { membershipId: orgUserId })
  for (const which of [{ membershipId: orgUserId }, { instructorId: orgUserId }])
    await withdrawOffers(tx, by, which, 'left')
  for (const entry of entries) endEntry(tx, by, entry, 'left')
}

/**
 * Withdraws the open offers of a member who is merged, where they overlap open offers of the other member: one person has one
 * offer at a time.
 */
export async function withdrawDoubles(
  tx: Tx,
  by: Cause,
  { organizationId, from, into }: { organizationId: number; from: number; into: number },
): Promise<void> {
  for (const key of ['membershipId', 'instructorId'] as const) {
    const kept = (await lockOpenOffers(tx, organizationId, { [key]: into })).map(placeOf)
    for (const offer of await lockOpenOffers(tx, organizationId, { [key]: from })) {
      if (kept.some((place) => overlaps(place, placeOf(offer))))
        await endOffer(tx, by, offer, 'withdrawn', { cause: 'left' })
    }
  }
}
