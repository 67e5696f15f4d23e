import type Stripe from 'stripe'
import { cents } from '../../../kernel/units.ts'
import type { DisputeStatus, GatewayAccount, GatewayMoney, InvoiceAtGateway } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { viewInvoice } from './invoice-view.ts'

/** The path, for `expand`, of a payment's charge, which has the payment method. */
const CHARGE = 'data.payment.payment_intent.latest_charge'
/** Stripe's types of payment methods that are cards. */
const CARDS: readonly string[] = ['card', 'card_present', 'interac_present']

/** Returns the payments, refunds and disputes of an invoice, in their present state at Stripe. */
export async function readMoney(stripe: Stripe, invoice: InvoiceAtGateway): Promise<GatewayMoney> {
  const account = inAccount(invoice.account)
  const at = viewInvoice(await stripe.invoices.retrieve(invoice.gatewayInvoiceId, {}, account))
  const paid = await stripe.invoicePayments.list(
    { invoice: invoice.gatewayInvoiceId, status: 'paid', limit: 100, expand: [CHARGE] },
    account,
  )
  const payments = paid.data.flatMap(({ payment, amount_paid, status_transitions: { paid_at } }) => {
    const id = idOf(payment.payment_intent)
    const paidAt = paid_at ? new Date(paid_at * 1000) : null
    return id ? [{ id, paidCents: cents(amount_paid ?? 0), paidAt, method: methodOf(payment.payment_intent) }] : []
  })
  const refunds: GatewayMoney['refunds'] = []
  const disputes: (GatewayMoney['disputes'][number] & { created: number })[] = []
  for (const { id: payment_intent } of payments) {
    const refunded = await stripe.refunds
      .list({ payment_intent, limit: 100 }, account)
      .autoPagingToArray({ limit: 1000 })
    for (const { status, amount, metadata } of refunded) {
      if (status !== 'failed' && status !== 'canceled') {
        refunds.push({ key: metadata?.[KEY] ?? null, amountCents: cents(amount) })
      }
    }
    const disputed = await stripe.disputes.list({ payment_intent, limit: 100 }, account)
    for (const { status, amount, created, evidence_details } of disputed.data.toReversed()) {
      const evidenceDueAt = dueOf(evidence_details)
      disputes.push({ status: statusOf(status), amountCents: cents(amount), evidenceDueAt, created })
    }
  }
  // Sorts them oldest first. Disputes of the same second keep their order.
  disputes.sort((a, b) => a.created - b.created)
  return { invoice: at, payments, refunds, disputes: disputes.map(({ created, ...dispute }) => dispute) }
}

/** Returns whether a payment was made by card, from the charge that paid it; `other` without a charge. */
function methodOf(intent: string | Stripe.PaymentIntent | undefined): 'card' | 'other' {
  const charge = typeof intent === 'object' ? intent.latest_charge : null
  const type = typeof charge === 'object' ? charge?.payment_method_details?.type : undefined
  return type !== undefined && CARDS.includes(type) ? 'card' : 'other'
}

/** Returns the id of the invoice that a payment paid; null when it paid none. */
export async function findInvoiceOfPayment(
  stripe: Stripe,
  account: GatewayAccount,
  payment_intent: string,
): Promise<string | null> {
  const payment = { type: 'payment_intent', payment_intent } as const
  const found = await stripe.invoicePayments.list({ payment, limit: 1 }, inAccount(account))
  return idOf(found.data[0]?.invoice)
}

function statusOf(status: Stripe.Dispute['status']): DisputeStatus {
  if (status === 'lost') return 'lost'
  return status === 'won' || status === 'warning_closed' || status === 'prevented' ? 'won' : 'open'
}

/** Returns the deadline for evidence; null when the bank accepts none, for which Stripe sends 0 or null. */
function dueOf({ due_by }: Stripe.Dispute.EvidenceDetails): Date | null {
  return due_by ? new Date(due_by * 1000) : null
}

function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === 'string' ? named : (named?.id ?? null)
}
