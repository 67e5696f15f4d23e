import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { actsAsCashier, assertIsNotOwnMoney, assertWithinCashierLimit } from './cashier.access.ts'
import { assertHasAccount } from './ledger.access.ts'
import { notifyOwnersOfOwnMoney } from './notify-owners.ts'
import { postEntry } from './post-entry.ts'
import { nextReceiptNumber, writeReceipt } from './write-receipt.ts'

/** An entry that an admin posts, in signed cents: a deposit (positive), or a correction in either direction. */
export interface HandPosting {
  kind: 'deposit' | 'adjustment'
  amountCents: Cents
  memo: string | null
}

/**
 * Posts a deposit, which gets a receipt, or an adjustment to a member's account. A cashier posts only deposits that
 * others make, within the limit of a cashier.
 */
export async function postByHand(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  posting: HandPosting,
): Promise<{ entryId: number }> {
  await assertHasAccount(tx.db, actor.organizationId, orgUserId)
  if (posting.amountCents === 0) throw billingErrors.amountZero()
  if (posting.kind === 'deposit' && posting.amountCents < 0) throw billingErrors.depositNegative()
  if (actsAsCashier(actor) && posting.kind !== 'deposit') throw billingErrors.cashierDeposits()
  await assertIsNotOwnMoney(tx, actor, [orgUserId])
  await assertWithinCashierLimit(tx, actor, { orgUserId, guestId: null }, posting.amountCents)
  const number = posting.kind === 'deposit' ? await nextReceiptNumber(tx, actor) : null
  const { id: entryId } = await postEntry(tx, {
    organizationId: actor.organizationId,
    membershipId: orgUserId,
    ...posting,
    createdBy: actor.orgUserId,
  })
  if (number !== null)
    await writeReceipt(tx, actor, { number, ledgerEntryId: entryId, amountCents: posting.amountCents })
  if (orgUserId === actor.orgUserId && posting.amountCents > 0) {
    const { currency } = actor.organization.settings
    await notifyOwnersOfOwnMoney(tx, actor, { what: 'entry', amountCents: posting.amountCents, currency })
  }
  return { entryId }
}
