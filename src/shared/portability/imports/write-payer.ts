import { setBillTo } from '../../identity/members/set-bill-to.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { loadMembers } from './find-named.ts'

/** A member, and the member who is to pay for them. */
interface PaidFor {
  id: number
  billToId: number | null
}

/** Names the payer of an imported member, who still has to accept. A blank cell changes nothing. Returns whether the payer changed. */
export async function writePayer(
  tx: Tx,
  actor: Actor,
  { id, billToId }: PaidFor,
  billTo: string | undefined,
): Promise<boolean> {
  if (billTo === undefined) return false
  // The members of this file that pay for others are stored by now.
  const { idOf } = await loadMembers(tx, actor.organizationId, [billTo])
  const payerId = idOf('billTo', billTo)
  if (payerId === billToId) return false
  await setBillTo(tx, actor, id, payerId)
  return true
}
