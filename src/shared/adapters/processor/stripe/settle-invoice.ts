import Stripe from 'stripe'
import type { InvoiceAtProcessor, ProcessorInvoice, RefundInvoice } from '../processor.port.ts'
import { ProcessorUnavailable } from '../processor-errors.ts'
import { inAccount } from './client.ts'
import { viewInvoice } from './invoice-view.ts'
import { KEY } from './metadata-key.ts'
import { postOnce } from './post-once.ts'

/**
 * Marks an invoice paid by money that did not come through Stripe. Stripe would finalize a draft on the way, whatever is
 * on it by then, so a half-raised invoice has to wait.
 */
export async function markPaidOutOfBand(stripe: Stripe, invoice: InvoiceAtProcessor): Promise<ProcessorInvoice> {
  const id = invoice.processorInvoiceId
  const paid = async () => {
    const standing = await retrieve(stripe, invoice)
    if (standing.status === 'draft') throw new ProcessorUnavailable('The invoice is still being raised.')
    return standing.status === 'paid' ? standing : null
  }
  const pay = (idempotencyKey: string) =>
    stripe.invoices.pay(id, { paid_out_of_band: true }, { ...inAccount(invoice.account), idempotencyKey })
  return viewInvoice((await paid()) ?? (await postOnce<Stripe.Invoice>(`${id}:paid`, pay, paid)))
}

/** Voids an invoice. A draft can only be deleted, and Stripe then denies that it ever was. */
export async function voidInvoice(stripe: Stripe, invoice: InvoiceAtProcessor): Promise<void> {
  const id = invoice.processorInvoiceId
  const account = inAccount(invoice.account)
  const standing = await retrieve(stripe, invoice).catch(unlessMissing)
  if (standing === null || standing.status === 'void') return
  if (standing.status === 'draft') {
    await stripe.invoices.del(id, {}, account).catch(unlessMissing)
    return
  }
  await postOnce<Stripe.Invoice>(
    `${id}:void`,
    (idempotencyKey) => stripe.invoices.voidInvoice(id, {}, { ...account, idempotencyKey }),
    async () => {
      const now = await retrieve(stripe, invoice)
      return now.status === 'void' ? now : null
    },
  )
}

function retrieve(stripe: Stripe, { account, processorInvoiceId }: InvoiceAtProcessor): Promise<Stripe.Invoice> {
  return stripe.invoices.retrieve(processorInvoiceId, {}, inAccount(account))
}

function unlessMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
  throw error
}

/**
 * Gives money back, payment by payment, until the amount is reached. What came another way than through Stripe has no
 * payment to give back.
 */
export async function refund(stripe: Stripe, request: RefundInvoice): Promise<{ refundedCents: number }> {
  const { account, processorInvoiceId: invoice } = request
  const paid = await stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }, inAccount(account))
  let refundedCents = 0
  for (const { payment, amount_paid } of paid.data) {
    if (!payment.payment_intent) continue
    const intent = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent.id
    const wanted = (request.amountCents ?? Number.POSITIVE_INFINITY) - refundedCents
    if (wanted > 0) refundedCents += await refundPayment(stripe, request, intent, amount_paid ?? 0, wanted)
  }
  return { refundedCents }
}

async function refundPayment(
  stripe: Stripe,
  { account, key }: RefundInvoice,
  payment_intent: string,
  paidCents: number,
  wantedCents: number,
): Promise<number> {
  const list = () =>
    stripe.refunds.list({ payment_intent, limit: 100 }, inAccount(account)).autoPagingToArray({ limit: 1000 })
  const stands = (refund: Stripe.Refund) => refund.status !== 'failed' && refund.status !== 'canceled'
  const earlier = (await list()).filter(stands)
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
    async () => (await list()).find((refund) => stands(refund) && refund.metadata?.[KEY] === key) ?? null,
  )
  return refund.amount
}
