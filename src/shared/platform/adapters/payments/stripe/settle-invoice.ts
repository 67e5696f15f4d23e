import Stripe from 'stripe'
import { type Cents, cents, sum } from '../../../kernel/units.ts'
import { GatewayUnavailable } from '../gateway-errors.ts'
import type { GatewayInvoice, InvoiceAtGateway, RefundInvoice } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { viewInvoice } from './invoice-view.ts'
import { postOnce } from './post-once.ts'

/**
 * Marks an invoice paid outside Stripe.
 * @throws GatewayUnavailable for a draft: Stripe would finalize it with the items that it has, and these may be
 * incomplete
 */
export async function markPaidOutOfBand(stripe: Stripe, invoice: InvoiceAtGateway): Promise<GatewayInvoice> {
  const id = invoice.processorInvoiceId
  const paid = async () => {
    const existing = await retrieve(stripe, invoice)
    if (existing.status === 'draft') throw new GatewayUnavailable('The invoice is still being raised.')
    return existing.status === 'paid' ? existing : null
  }
  const pay = (idempotencyKey: string) =>
    stripe.invoices.pay(id, { paid_out_of_band: true }, { ...inAccount(invoice.account), idempotencyKey })
  return viewInvoice((await paid()) ?? (await postOnce<Stripe.Invoice>(`${id}:paid`, pay, paid)))
}

/** Voids an invoice, or deletes a draft, which Stripe cannot void and then reports as missing. */
export async function voidInvoice(stripe: Stripe, invoice: InvoiceAtGateway): Promise<void> {
  const id = invoice.processorInvoiceId
  const account = inAccount(invoice.account)
  const existing = await retrieve(stripe, invoice).catch(unlessMissing)
  if (existing === null || existing.status === 'void') return
  if (existing.status === 'draft' && (await deleteDraft(stripe, invoice))) return
  await postOnce<Stripe.Invoice>(
    `${id}:void`,
    (idempotencyKey) => stripe.invoices.voidInvoice(id, {}, { ...account, idempotencyKey }),
    async () => {
      const now = await retrieve(stripe, invoice)
      return now.status === 'void' ? now : null
    },
  )
}

/** Deletes a draft. Returns false when it was finalized in the meantime. */
async function deleteDraft(stripe: Stripe, invoice: InvoiceAtGateway): Promise<boolean> {
  try {
    await stripe.invoices.del(invoice.processorInvoiceId, {}, inAccount(invoice.account)).catch(unlessMissing)
    return true
  } catch (error) {
    if ((await retrieve(stripe, invoice)).status !== 'draft') return false
    throw error
  }
}

function retrieve(stripe: Stripe, { account, processorInvoiceId }: InvoiceAtGateway): Promise<Stripe.Invoice> {
  return stripe.invoices.retrieve(processorInvoiceId, {}, inAccount(account))
}

function unlessMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
  throw error
}

/**
 * Refunds payment by payment until the amount is reached, and returns the cents refunded. Money that was paid outside
 * Stripe has no payment to refund.
 */
export async function refund(stripe: Stripe, request: RefundInvoice): Promise<{ refundedCents: Cents }> {
  let refunded = 0
  for (const { intent, paidCents } of await paymentsThroughStripe(stripe, request)) {
    const wanted = (request.amountCents ?? Number.POSITIVE_INFINITY) - refunded
    if (wanted > 0) refunded += await refundPayment(stripe, request, intent, paidCents, wanted)
  }
  return { refundedCents: cents(refunded) }
}

/** Returns the cents that were paid on an invoice through Stripe. */
export async function receivedCents(stripe: Stripe, invoice: InvoiceAtGateway): Promise<Cents> {
  const payments = await paymentsThroughStripe(stripe, invoice)
  return sum(payments.map(({ paidCents }) => paidCents))
}

async function paymentsThroughStripe(
  stripe: Stripe,
  { account, processorInvoiceId: invoice }: InvoiceAtGateway,
): Promise<{ intent: string; paidCents: Cents }[]> {
  const paid = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }, inAccount(account))
  return paid.data.flatMap(({ payment: { payment_intent: intent }, amount_paid }) =>
    intent ? [{ intent: typeof intent === 'string' ? intent : intent.id, paidCents: cents(amount_paid ?? 0) }] : [],
  )
}

async function refundPayment(
  stripe: Stripe,
  { account, key }: RefundInvoice,
  payment_intent: string,
  paidCents: Cents,
  wantedCents: number,
): Promise<number> {
  const list = () =>
    stripe.refunds.list({ payment_intent, limit: 100 }, inAccount(account)).autoPagingToArray({ limit: 1000 })
  const isLive = (refund: Stripe.Refund) => refund.status !== 'failed' && refund.status !== 'canceled'
  const earlier = (await list()).filter(isLive)
  const same = earlier.find(({ metadata }) => metadata?.[KEY] === key)
  if (same) return same.amount
  const left = paidCents - earlier.reduce((sum, { amount }) => sum + amount, 0)
  const amount = Math.min(left, wantedCents)
  if (amount <= 0) return 0
  const refund = await postOnce<Stripe.Refund>(
    `${key}:${payment_intent}`,
    (idempotencyKey) =>
      stripe.refunds.create(
        { payment_intent, amount, reason: 'requested_by_customer', metadata: { [KEY]: key } },
        { ...inAccount(account), idempotencyKey },
      ),
    async () => (await list()).find((refund) => isLive(refund) && refund.metadata?.[KEY] === key) ?? null,
  )
  return refund.amount
}
