import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { mustHaveAccount } from './ledger.queries.ts'
import { postEntry } from './post-entry.ts'

/** What an admin posts: money that came in, or a correction either way. Signed cents. */
export interface HandPosting {
  kind: 'deposit' | 'adjustment'
  amountCents: number
  memo: string | null
}

/**
 * Posts a deposit or an adjustment to a member's account.
 * @throws NotFound; Invalid for nothing at all, a deposit that takes money away, or a balance that leaves the bounds.
 */
export async function postByHand(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  posting: HandPosting,
): Promise<{ entryId: number }> {
  await mustHaveAccount(tx.db, actor.organizationId, orgUserId)
  if (posting.amountCents === 0) throw new Invalid('amountCents: must not be 0')
  if (posting.kind === 'deposit' && posting.amountCents < 0) throw new Invalid('amountCents: a deposit is positive')
  const entryId = await postEntry(tx, {
    organizationId: actor.organizationId,
    membershipId: orgUserId,
    ...posting,
    createdBy: actor.orgUserId,
  })
  return { entryId }
}
