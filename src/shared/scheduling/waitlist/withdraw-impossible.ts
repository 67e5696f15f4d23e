import type { Tx } from '../../platform/db/transaction.ts'
import { endOffer } from './end-offer.ts'
import { type PlaceRefusal, principalOf, refusalOfPlace } from './judge-place.ts'
import { findOpenOffers } from './open-offers.queries.ts'
import { lockOpenOffers } from './waitlist.access.ts'

/** Nobody may book the place for its person any more. */
const notTheirs: PlaceRefusal = { rules: [], isOfPerson: true }

/** The booking that the offer moves was changed. */
const changed: PlaceRefusal = { rules: [], isOfPerson: false }

/**
 * Withdraws the open offers of an organization whose bookings the rules would refuse by now, or that move a booking which was
 * changed. Returns how many.
 */
export async function withdrawImpossible(tx: Tx, organizationId: number): Promise<number> {
  const refused = new Map<number, PlaceRefusal>()
  for (const { id, makerId, isChanged, ...place } of await findOpenOffers(tx.db, organizationId)) {
    const principal = isChanged ? null : await principalOf(tx, { organizationId, makerId, ...place })
    const stands = isChanged ? changed : notTheirs
    const refusal = principal ? await refusalOfPlace(tx, principal, { ...place, offerId: id }) : stands
    if (refusal) refused.set(id, refusal)
  }
  if (refused.size === 0) return 0
  const by = { organizationId, orgUserId: null }
  const offers = await lockOpenOffers(tx, organizationId, { id: { $in: [...refused.keys()] } })
  for (const offer of offers) {
    const { rules, isOfPerson } = refused.get(offer.id)!
    await endOffer(tx, by, offer, 'withdrawn', { cause: isOfPerson ? 'refused' : 'impossible', rules })
  }
  return offers.length
}
