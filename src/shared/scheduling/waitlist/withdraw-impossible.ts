import type { Tx } from '../../platform/db/transaction.ts'
import { endOffer } from './end-offer.ts'
import { principalOf, refusalOfPlace } from './judge-place.ts'
import { findOpenOffers } from './open-offers.queries.ts'
import { lockOpenOffers } from './waitlist.access.ts'

/** Withdraws the open offers of an organization whose bookings the rules would refuse by now, or that move a booking which was changed. Returns how many. */
export async function withdrawImpossible(tx: Tx, organizationId: number): Promise<number> {
  const refused = new Map<number, string[]>()
  for (const { id, makerId, isChanged, ...place } of await findOpenOffers(tx.db, organizationId)) {
    const principal = isChanged ? null : await principalOf(tx, { organizationId, makerId, ...place })
    const refusal = principal ? await refusalOfPlace(tx, principal, { ...place, offerId: id }) : { rules: [] }
    if (refusal) refused.set(id, refusal.rules)
  }
  if (refused.size === 0) return 0
  const by = { organizationId, orgUserId: null }
  const offers = await lockOpenOffers(tx, organizationId, { id: { $in: [...refused.keys()] } })
  for (const offer of offers) {
    await endOffer(tx, by, offer, 'withdrawn', { cause: 'impossible', rules: refused.get(offer.id) ?? [] })
  }
  return offers.length
}
