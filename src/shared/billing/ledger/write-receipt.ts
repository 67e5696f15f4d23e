import { findOwners } from '../../identity/members/owner.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { mailReceipt } from './own-money.jobs.ts'

/** The payment or the deposit that a receipt is for. */
interface Receipted {
  number: number
  paymentId?: number
  ledgerEntryId?: number
  amountCents: Cents
}

/**
 * Takes the next number of a receipt. The organization row stays locked until the commit, so that the numbers have no
 * gaps. A ledger is locked after it, in the same order as by invoices.
 * Implements interface §Desk grants.
 */
export async function nextReceiptNumber(tx: Tx, actor: Actor): Promise<number> {
  const { number } = await tx.db
    .updateTable('organization')
    .set((eb) => ({ last_receipt_number: eb('last_receipt_number', '+', 1) }))
    .where('id', '=', actor.organizationId)
    .returning('last_receipt_number as number')
    .executeTakeFirstOrThrow()
  return number
}

/** Writes the receipt of a payment or deposit by hand, and mails the payer. */
export async function writeReceipt(tx: Tx, actor: Actor, receipt: Receipted): Promise<void> {
  const { number, paymentId = null, ledgerEntryId = null, amountCents } = receipt
  const { id: receiptId } = await tx.db
    .insertInto('receipt')
    .values({
      organization_id: actor.organizationId,
      number,
      payment_id: paymentId,
      ledger_entry_id: ledgerEntryId,
      amount_cents: amountCents,
      recorded_by: actor.orgUserId,
      recorded_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  tx.enqueue(mailReceipt, { organizationId: actor.organizationId, receiptId, about: 'taken', orgUserId: null })
}

/** Mails the payer and all owners that the payment or deposit of a receipt was reversed, whoever reversed it. */
export async function notifyOfReversal(tx: Tx, { organizationId }: Actor, receiptId: number): Promise<void> {
  const owners = await findOwners(tx.db, organizationId)
  for (const orgUserId of [null, ...owners.map((owner) => owner.orgUserId)]) {
    tx.enqueue(mailReceipt, { organizationId, receiptId, about: 'reversed', orgUserId })
  }
}
