import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockOpenAutomatic } from '../invoices/invoice.access.ts'
import { type HandPosting, postByHand } from '../ledger/post-by-hand.ts'
import { payOpenInvoices } from './pay-open-from-ledger.ts'

/**
 * Posts a deposit or an adjustment to a member's account. While `settings.payFromLedger` is `auto`, what is then on the account pays the
 * member's open invoices, the oldest first. Implements interface §Invoices: POST /orgUsers/{id}/ledger.
 */
export async function postAndPay(
  tx: Tx,
  actor: Actor,
  orgUserId: number,
  posting: HandPosting,
): Promise<{ entryId: number }> {
  const { organizationId, organization } = actor
  const of = { organizationId, orgUserId }
  const pays = posting.amountCents > 0 && organization.settings.payFromLedger === 'auto'
  const open = pays ? await lockOpenAutomatic(tx, of) : []
  const posted = await postByHand(tx, actor, orgUserId, posting)
  await payOpenInvoices(tx, of, open)
  return posted
}
