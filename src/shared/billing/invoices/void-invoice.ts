import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import { minus, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { Invoice } from '../invoices.tables.ts'
import { findEntry } from '../ledger/ledger.queries.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { findReceiptOf } from '../ledger/receipt.queries.ts'
import { reverseEntry } from '../ledger/reverse-entry.ts'
import { notifyOfReversal } from '../ledger/write-receipt.ts'
import { isUsedPackage } from '../packages/package.access.ts'
import { payOpenFromLedger } from '../payments/ledger-payments.jobs.ts'
import { findPaymentOfEntry } from '../payments/payment.queries.ts'
import { assertIsUnpaid, lockInvoice } from './invoice.access.ts'
import { voidAtGateway } from './invoices.jobs.ts'

/**
 * Voids an unpaid invoice, or an invoice that packages cover completely. It is void here immediately, so that its flight can be billed
 * again; a job voids it at the gateway. When the payer pays before the void arrives there, the payment is refunded.
 * Implements docs/decisions/0011.
 * @throws Conflict NOT_PENDING when it is paid or void, PARTLY_PAID when a part is paid, PACKAGE_USED when flights used its package.
 */
export async function voidInvoice(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  if (invoice.status === 'paid' && invoice.paymentMethod === 'package') {
    voidSettled(tx, actor, invoice, reason)
    await notifyOwnVoid(tx, actor, invoice)
    return { id }
  }
  assertIsUnpaid(invoice)
  if (await isUsedPackage(tx, invoice)) throw billingErrors.packageUsed()
  if (invoice.amountPaidCents) throw billingErrors.partlyPaid()
  emit(tx, actor, {
    kind: 'invoice.voided',
    subject: { kind: 'invoice', id },
    before: { status: invoice.status },
    after: { own: invoice.membershipId === actor.orgUserId },
    reason,
  })
  tx.em.assign(invoice, { status: 'void', voidedAt: tx.now, voidReason: reason })
  tx.enqueue(voidAtGateway, { organizationId: actor.organizationId, invoiceId: id })
  await notifyOwnVoid(tx, actor, invoice)
  return { id }
}

/** Mails all owners when an admin voids the admin's own invoice. */
async function notifyOwnVoid(tx: Tx, actor: Actor, invoice: Invoice): Promise<void> {
  if (invoice.membershipId !== actor.orgUserId) return
  // The owners were mailed about earlier credits at that time.
  const amountCents = minus(invoice.totalCents, invoice.creditedCents)
  await notifyOwnersOfOwnMoney(tx, actor, { what: 'void', amountCents, currency: invoice.currency })
}

/** Voids a locked invoice whose payment, if any, was returned, and clears its payment fields. */
export function voidSettled(tx: Tx, by: Cause, invoice: Invoice, reason: string): void {
  const subject = { kind: 'invoice', id: invoice.id } as const
  const own = by.orgUserId !== null && invoice.membershipId === by.orgUserId
  emit(tx, by, { kind: 'invoice.voided', subject, before: { status: invoice.status }, after: { own }, reason })
  tx.em.assign(invoice, {
    status: 'void',
    voidedAt: tx.now,
    voidReason: reason,
    paidAt: null,
    amountPaidCents: ZERO,
    gatewayPaidCents: ZERO,
    ledgerPaidCents: ZERO,
    paymentMethod: null,
  })
}

/**
 * Reverses a ledger entry. Reversing a charge voids the invoice that it settled, so that its flight can be billed
 * again. All owners are mailed when a charge of the actor's own account is reversed; they and the payer, when a deposit with a receipt is.
 */
export async function reverseLedgerEntry(
  tx: Tx,
  by: Actor,
  entryId: number,
  reason: string,
): Promise<{ entryId: number }> {
  const { organizationId } = by
  const { invoice_id: invoiceId } = await findEntry(tx.db, organizationId, entryId)
  // The invoice is locked before the account, in the same order as by a payment from the account.
  const invoice = invoiceId === null ? null : await lockInvoice(tx, organizationId, invoiceId)
  const paymentId = invoice && (await findPaymentOfEntry(tx.db, organizationId, entryId))
  if (paymentId != null) throw billingErrors.entryPays({ paymentId }, { invoiceId, paymentId })
  const { reversalId, membershipId, amountCents } = await reverseEntry(tx, by, entryId, reason)
  const receipt = await findReceiptOf(tx.db, { organizationId, entryId })
  if (receipt) await notifyOfReversal(tx, by, receipt.id)
  if (invoice?.creditedCents) throw billingErrors.hasCredits()
  if (invoice && (await isUsedPackage(tx, invoice))) throw billingErrors.packageUsed()
  if (invoice?.settlement === 'ledger' && invoice.status === 'paid') voidSettled(tx, by, invoice, reason)
  const { currency, payFromLedger } = by.organization.settings
  if (amountCents > 0 && payFromLedger === 'auto') {
    tx.enqueue(payOpenFromLedger, { organizationId, orgUserId: membershipId })
  }
  if (membershipId === by.orgUserId && amountCents > 0) {
    await notifyOwnersOfOwnMoney(tx, by, { what: 'entry', amountCents, currency })
  }
  return { entryId: reversalId }
}
