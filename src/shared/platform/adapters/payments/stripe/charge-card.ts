import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'
import type { ChargeCard, ChargeOutcome } from '../payment-gateway.port.ts'
import { inAccount } from './client.ts'
import { viewInvoice } from './invoice-view.ts'
import { postOnce } from './post-once.ts'

/** Stripe's error codes for a payment that needs the payer, because the bank requires authentication. */
const WANTS_PAYER: readonly string[] = [
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'payment_intent_authentication_failure',
]

/**
 * Charges a saved card for an open invoice, without the payer. It pays Stripe's own invoice, which Stripe does only once.
 * Returns `changed`, without a charge, when the invoice is not open or has another amount left than `amountCents`. A decline
 * that Stripe repeats for the same key is returned again.
 * @throws GatewayUnavailable when the payment is not finished
 */
export async function chargeCard(stripe: Stripe, request: ChargeCard): Promise<ChargeOutcome> {
  const { gatewayInvoiceId: id, cardId, key, amountCents } = request
  const account = inAccount(request.account)
  const retrieve = () => stripe.invoices.retrieve(id, {}, account)
  const ended = async (): Promise<ChargeOutcome | null> => {
    const invoice = await retrieve()
    if (invoice.status === 'paid') return { outcome: 'paid', invoice: viewInvoice(invoice) }
    const same = invoice.status === 'open' && invoice.amount_remaining === amountCents
    return same ? null : { outcome: 'changed', invoice: viewInvoice(invoice) }
  }
  const pay = async (idempotencyKey: string): Promise<ChargeOutcome> => {
    try {
      const given = { payment_method: cardId, off_session: true }
      const invoice = await stripe.invoices.pay(id, given, { ...account, idempotencyKey })
      if (invoice.status === 'paid') return { outcome: 'paid', invoice: viewInvoice(invoice) }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeCardError)) throw error
      const wanted = [error.code, error.decline_code].some((code) => code && WANTS_PAYER.includes(code))
      return wanted
        ? { outcome: 'wants_payer' }
        : { outcome: 'declined', code: error.decline_code ?? error.code ?? null }
    }
    throw new GatewayUnavailable('The payment processor has not finished the payment.')
  }
  return (await ended()) ?? (await postOnce<ChargeOutcome>(key, pay, ended))
}
