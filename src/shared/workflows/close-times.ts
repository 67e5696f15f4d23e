import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { addClosure, type NewClosure } from '../scheduling/closures/write-closure.ts'
import { withdrawOffers } from '../scheduling/waitlist/end-offer.ts'
import { findCoveredOffers } from '../scheduling/waitlist/open-offers.queries.ts'

/** Closes the organization, a location or a resource, and withdraws the open offers of places in that time. Returns the closures. */
export async function closeTimes(tx: Tx, actor: Actor, closure: NewClosure): Promise<{ ids: number[] }> {
  const { ids } = await addClosure(tx, actor, closure)
  const covered = await findCoveredOffers(tx.db, actor.organizationId, ids)
  if (covered.length > 0) await withdrawOffers(tx, actor, { id: { $in: covered } }, 'closed')
  return { ids }
}
