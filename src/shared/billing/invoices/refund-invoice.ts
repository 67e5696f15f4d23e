import type { GatewayInvoice, GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { creditRefunded } from '../credit-notes/write-credit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { figuresByWay, refundedBy } from '../payments/payment.access.ts'
import { leftAtGateway } from '../payments/payment.rules.ts'
import { noteReturned } from '../payments/refund-overpaid.ts'
import { lockInvoice } from './invoice.access.ts'
import { refundAtGateway } from './invoices.jobs.ts'
import { syncFromGateway } from './sync-from-gateway.ts'
import { voidSettled } from './void-invoice.ts'

interface InvoiceId {
  organizationId: number
  invoiceId: number
}

const CANCELLED = 'The booking was cancelled'
const PAID_REPLACED = 'The payer paid what had been replaced; that payment was given back.'
export const LESS_WENT_BACK =
  'The payment processor gave back less than was paid: the rest went back before, or did not come through it.'

/**
 * Stores how many cents of an invoice were refunded, without the refunds of credit notes. An invoice that was paid after it was void
 * becomes void again when everything was refunded, so that its flight can be billed. Any other invoice keeps its status; when it is
 * paid, a credit note of the refund is written.
 */
export async function recordRefund(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  refundedCents: Cents,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice || invoice.refundedAt) return
  invoice.refundedAt = tx.now
  const left = leftAtGateway(figuresByWay(invoice))
  const all = refundedCents >= left
  const backCents = all && invoice.status !== 'void' ? left : refundedCents
  tx.em.assign(invoice, refundedBy(invoice, 'processor', backCents))
  invoice.gatewayError = all ? null : LESS_WENT_BACK
  if (invoice.status === 'paid' && !invoice.voidReason) await creditRefunded(tx, invoice, backCents, CANCELLED)
  else noteReturned(tx, invoice, refundedCents)
  if (all && invoice.status === 'paid' && invoice.voidReason) {
    voidSettled(tx, { organizationId, orgUserId: null }, invoice, invoice.voidReason)
  }
}

/**
 * Marks an invoice as paid when the payer paid before the void arrived, and enqueues its refund.
 * Implements docs/decisions/0011.
 */
export async function refundPaidMeanwhile(
  tx: Tx,
  id: InvoiceId,
  { invoice: at, payments }: Pick<GatewayMoney, 'invoice' | 'payments'>,
): Promise<void> {
  const invoice = await lockInvoice(tx, id.organizationId, id.invoiceId)
  if (!invoice) return
  await syncFromGateway(tx, invoice, at, payments)
  tx.enqueue(refundAtGateway, id)
}

/**
 * Enqueues the refund of a part that the payer paid before the void arrived. The invoice stays void, because it was never paid in full.
 * Implements docs/decisions/0011.
 */
export async function refundPartMeanwhile(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  { gatewayInvoiceId }: Pick<GatewayInvoice, 'gatewayInvoiceId'>,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice) return
  invoice.gatewayInvoiceId = gatewayInvoiceId
  tx.enqueue(refundAtGateway, { organizationId, invoiceId })
}

/** Records that a payment of replaced lines of an invoice was refunded, in cents, and notifies the payer. */
export async function recordReturned(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  refundedCents: Cents,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (!invoice) return
  invoice.gatewayError = PAID_REPLACED
  noteReturned(tx, invoice, refundedCents)
}

/** Stores the gateway's refusal on the invoice, for desk staff to resolve. */
export async function recordGatewayError(
  tx: Tx,
  { organizationId, invoiceId }: InvoiceId,
  reason: string,
): Promise<void> {
  const invoice = await lockInvoice(tx, organizationId, invoiceId)
  if (invoice) invoice.gatewayError = reason
}

/**
 * Approves or declines the waiting refund of a cancelled booking: refunds the payment to the card, or keeps it. Implements interface
 * §Invoices: POST refund.
 */
export async function decideRefund(
  tx: Tx,
  actor: Actor,
  id: number,
  { approved, reason }: { approved: boolean; reason?: string | undefined },
): Promise<InvoiceId> {
  const { organizationId } = actor
  const invoice = await lockInvoice(tx, organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  if (!invoice.refundWaitingAt) throw billingErrors.noRefundWaiting()
  invoice.refundWaitingAt = null
  if (approved) tx.enqueue(refundAtGateway, { organizationId, invoiceId: id })
  await noteDecided(tx, actor, invoice, { approved, reason })
  return { organizationId, invoiceId: id }
}

/** Emits the event of a decision on a waiting refund. Mails all owners when an admin approves a refund of the admin's own invoice. */
export async function noteDecided(
  tx: Tx,
  actor: Actor,
  { id, membershipId, currency }: Invoice,
  { approved, reason }: { approved: boolean; reason?: string | undefined },
): Promise<void> {
  const own = membershipId === actor.orgUserId
  const subject = { kind: 'invoice', id } as const
  emit(tx, actor, { kind: 'invoice.refund_decided', subject, after: { approved, own }, ...(reason && { reason }) })
  if (own && approved) await notifyOwnersOfOwnMoney(tx, actor, { what: 'refund_approved', currency })
}
