import Stripe from 'stripe'
import { type Cents, cents, minus, plus, sum } from '../../../kernel/units.ts'
import { GatewayRefused, GatewayUnavailable } from '../gateway-errors.ts'
import type { GatewayInvoice, InvoiceAtGateway, RefundInvoice } from '../payment-gateway.port.ts'
import { inAccount, KEY } from './client.ts'
import { sortingErrors } from './errors.ts'
import { viewInvoice } from './invoice-view.ts'
import { postOnce } from './post-once.ts'

/**
 * Marks an invoice paid outside Stripe.
 * @throws GatewayUnavailable for a draft: Stripe would finalize it with the items that it has, and these may be
 * incomplete
 */
export async function markPaidOutOfBand(stripe: Stripe, invoice: InvoiceAtGateway): Promise<GatewayInvoice> {
  const id = invoice.gatewayInvoiceId
  const paid = async () => {
    const existing = await retrieve(stripe, invoice)
    if (existing.status === 'draft') throw new GatewayUnavailable('The invoice is still being raised.')
    return existing.status === 'paid' ? existing : null
  }
  const pay = (idempotencyKey: string) =>
    stripe.invoices.pay(id, { paid_out_of_band: true }, { ...inAccount(invoice.account), idempotencyKey })
  return viewInvoice((await paid()) ?? (await postOnce<Stripe.Invoice>(`${id}:paid`, pay, paid)))
}

/** Voids an invoice. Stripe cannot void a draft, so a draft is deleted. An invoice that is missing at Stripe counts as deleted. */
export async function voidInvoice(stripe: Stripe, invoice: InvoiceAtGateway): Promise<void> {
  const id = invoice.gatewayInvoiceId
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
    await stripe.invoices.del(invoice.gatewayInvoiceId, {}, inAccount(invoice.account)).catch(unlessMissing)
    return true
  } catch (error) {
    if ((await retrieve(stripe, invoice)).status !== 'draft') return false
    throw error
  }
}

function retrieve(stripe: Stripe, { account, gatewayInvoiceId }: InvoiceAtGateway): Promise<Stripe.Invoice> {
  return stripe.invoices.retrieve(gatewayInvoiceId, {}, inAccount(account))
}

function unlessMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
  throw error
}

/**
 * Refunds payment by payment until the amount is reached. Returns the refunded cents, with those of an earlier call with the
 * same key. When Stripe does not refund a payment, for example because it is charged back, the other payments are refunded
 * instead. Money that was paid outside Stripe has no payment to refund.
 * @throws GatewayRefused when Stripe refuses a refund and makes no other
 */
export async function refund(stripe: Stripe, request: RefundInvoice): Promise<{ refundedCents: Cents }> {
  const payments = await refundable(stripe, request)
  let refundedCents = sum(payments.map(({ sameKeyCents }) => sameKeyCents))
  let refusal: GatewayRefused | null = null
  for (const { intent, sameKeyCents, leftCents } of payments) {
    const wanted = request.amountCents === null ? leftCents : minus(request.amountCents, refundedCents)
    const amount = Math.min(wanted, leftCents)
    if (sameKeyCents > 0 || amount <= 0) continue
    try {
      const made = await sortingErrors(() => refundPayment(stripe, request, intent, amount))
      refundedCents = plus(refundedCents, made)
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error
      refusal ??= error
    }
  }
  if (refusal && refundedCents === 0) throw refusal
  return { refundedCents }
}

/** Returns the cents that were paid on an invoice through Stripe. */
export async function receivedCents(stripe: Stripe, invoice: InvoiceAtGateway): Promise<Cents> {
  const payments = await paymentsThroughStripe(stripe, invoice)
  return sum(payments.map(({ paidCents }) => paidCents))
}

async function paymentsThroughStripe(
  stripe: Stripe,
  { account, gatewayInvoiceId: invoice }: InvoiceAtGateway,
): Promise<{ intent: string; paidCents: Cents }[]> {
  const paid = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }, inAccount(account))
  return paid.data.flatMap(({ payment: { payment_intent: intent }, amount_paid }) =>
    intent ? [{ intent: typeof intent === 'string' ? intent : intent.id, paidCents: cents(amount_paid ?? 0) }] : [],
  )
}

/** Returns, per payment of an invoice, the cents refunded with the key of the request and the cents that can still be refunded. */
async function refundable(stripe: Stripe, request: RefundInvoice) {
  const found: { intent: string; sameKeyCents: Cents; leftCents: Cents }[] = []
  for (const { intent, paidCents } of await paymentsThroughStripe(stripe, request)) {
    const earlier = await liveRefunds(stripe, request, intent)
    const same = earlier.find(({ metadata }) => metadata?.[KEY] === request.key)
    const leftCents = minus(paidCents, sum(earlier.map(({ amount }) => cents(amount))))
    found.push({ intent, sameKeyCents: cents(same?.amount ?? 0), leftCents })
  }
  return found
}

async function liveRefunds(
  stripe: Stripe,
  { account }: RefundInvoice,
  payment_intent: string,
): Promise<Stripe.Refund[]> {
  const all = await stripe.refunds
    .list({ payment_intent, limit: 100 }, inAccount(account))
    .autoPagingToArray({ limit: 1000 })
  return all.filter(({ status }) => status !== 'failed' && status !== 'canceled')
}

async function refundPayment(
  stripe: Stripe,
  request: RefundInvoice,
  payment_intent: string,
  amount: number,
): Promise<Cents> {
  const { account, key } = request
  const refund = await postOnce<Stripe.Refund>(
    `${key}:${payment_intent}`,
    (idempotencyKey) =>
      stripe.refunds.create(
        { payment_intent, amount, reason: 'requested_by_customer', metadata: { [KEY]: key } },
        { ...inAccount(account), idempotencyKey },
      ),
    async () =>
      (await liveRefunds(stripe, request, payment_intent)).find(({ metadata }) => metadata?.[KEY] === key) ?? null,
  )
  return cents(refund.amount)
}
