import { fitsSide, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { overlaps } from '../../platform/kernel/instants.ts'
import type { Offer } from '../waitlist.tables.ts'
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
  await withdrawOffers(tx, by, { membershipId: orgUserId }, 'left')
  await withdrawOffers(tx, by, { instructorId: orgUserId }, 'impossible')
  for (const entry of entries) endEntry(tx, by, entry, 'left')
}

/**
 * Ends the entries of a member, and withdraws the open offers to them and of their hours, for which they have no role any more. The
 * caller holds the lock of the member.
 */
export async function endWaitingWithout(
  tx: Tx,
  by: Cause,
  { organizationId, orgUserId, roles }: { organizationId: number; orgUserId: number; roles: RoleFlags },
): Promise<void> {
  const fits = (type: Offer['type']) => {
    const { pays } = typeRules[type]
    return pays === null || pays === 'guests' || fitsSide(roles, pays)
  }
  const entries = await lockEntries(tx, organizationId, { membershipId: orgUserId })
  const lost = entries.filter(({ type }) => !fits(type))
  const offers = await lockOpenOffers(tx, organizationId, { membershipId: orgUserId })
  for (const offer of offers.filter(({ type }) => !fits(type))) {
    await endOffer(tx, by, offer, 'withdrawn', { cause: 'role_lost' })
  }
  if (!roles.instructor) await withdrawOffers(tx, by, { instructorId: orgUserId }, 'impossible')
  for (const entry of lost) endEntry(tx, by, entry, 'role_lost')
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
      if (kept.some((place) => overlaps(place, placeOf(offer)))) {
        const cause = key === 'membershipId' ? 'left' : 'impossible'
        await endOffer(tx, by, offer, 'withdrawn', { cause })
      }
    }
  }
}
