import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { addClosure, type NewClosure } from '../scheduling/closures/write-closure.ts'
import { withdrawClosed } from '../scheduling/waitlist/withdraw-closed.ts'

/** Closes the organization, a location or a resource, and withdraws the open offers of places in that time. Returns the closures. */
export async function closeTimes(tx: Tx, actor: Actor, closure: NewClosure): Promise<{ ids: number[] }> {
  const { ids } = await addClosure(tx, actor, closure)
  await withdrawClosed(tx, actor, ids)
  return { ids }
}
