import type { Tx } from '../../platform/db/transaction.ts'
import { endOffer } from './end-offer.ts'
import { principalOf, refusalOfPlace } from './judge-place.ts'
import { lockOpenOffers } from './waitlist.access.ts'

/** Withdraws the open offers of an organization whose bookings the rules would refuse by now. Returns how many. */
export async function withdrawImpossible(tx: Tx, organizationId: number): Promise<number> {
  const open = await tx.db
    .selectFrom('offer as f')
    .leftJoin('waitlist_entry as e', (join) =>
      join.onRef('e.organization_id', '=', 'f.organization_id').onRef('e.id', '=', 'f.entry_id'),
    )
    .select(['f.id', 'f.membership_id as orgUserId', 'f.type', 'f.starts_at as start', 'f.ends_at as end'])
    .select(['f.resource_id as resourceId', 'f.instructor_id as instructorId', 'f.moves_id as movesId'])
    .select('e.created_by as makerId')
    .where('f.organization_id', '=', organizationId)
    .where('f.status', '=', 'open')
    .where('f.source', '=', 'waitlist')
    .orderBy('f.id')
    .execute()
  const refused = new Map<number, string[]>()
  for (const { id, makerId, ...place } of open) {
    const principal = await principalOf(tx, { organizationId, makerId, ...place })
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
