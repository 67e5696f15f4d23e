import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'
import type { ChargeCard, ChargeOutcome } from '../payment-gateway.port.ts'
import { inAccount } from './client.ts'
import { viewInvoice } from './invoice-view.ts'
import { postOnce } from './post-once.ts'

/** Stripe's codes of a payment that the payer's bank wants the payer for. */
const WANTS_PAYER: readonly string[] = [
  'authentication_required',
  'invoice_payment_intent_requires_action',
  'payment_intent_authentication_failure',
]

/**
 * Pays an open invoice with a saved card while the payer is away. It is Stripe's own invoice that is paid, which Stripe
 * does once, and never with more than `amountCents`: an invoice of which another amount is left stays as it is. A decline
 * that Stripe repeats for the key is the same decline.
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
