import Stripe from 'stripe'
import { GatewayUnavailable } from '../gateway-errors.ts'
import type { CardOwner, SavedCard, StartCardSetup } from '../payment-gateway.port.ts'
import { inAccount, isStorable, KEY } from './client.ts'
import { ensureCustomer, findCustomer } from './customers.ts'

/** The metadata field of a set-up with who asked for its page: `payer` or `other`. */
const ASKED_BY = 'flightlineAskedBy'

/**
 * Returns the URL of Stripe's page where the payer saves a card, valid for a day, and the id of the payer's customer, which is
 * created if necessary.
 */
export async function startCardSetup(
  stripe: Stripe,
  request: StartCardSetup,
  now: Date,
): Promise<{ url: string; gatewayCustomerId: string }> {
  const customer = await ensureCustomer(stripe, request, now)
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'setup',
      customer,
      currency: request.currency,
      allowed_payment_method_types: ['card'],
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      setup_intent_data: { metadata: { [KEY]: request.customer.key, [ASKED_BY]: request.askedBy } },
    },
    inAccount(request.account),
  )
  if (!isStorable(session.url)) throw new GatewayUnavailable('The payment processor gave no address of its page.')
  return { url: session.url, gatewayCustomerId: customer }
}

/**
 * Returns the payer's cards, newest first. The default card is the customer's default at Stripe, otherwise the newest card.
 * `savedByPayer` is true only for a card that was saved on a page that the payer asked for.
 */
export async function listCards(stripe: Stripe, owner: CardOwner, now: Date): Promise<SavedCard[]> {
  const found = await findCustomer(stripe, owner, now)
  if (found === null) return []
  const account = inAccount(owner.account)
  const customer = await stripe.customers.retrieve(found, {}, account).catch(unlessMissing)
  if (customer === null || customer.deleted) return []
  const [methods, setups] = await Promise.all([
    stripe.customers.listPaymentMethods(found, { type: 'card', limit: 100 }, account),
    stripe.setupIntents.list({ customer: found, limit: 100 }, account).autoPagingToArray({ limit: 1000 }),
  ])
  const own = new Set(
    setups
      .filter(({ metadata }) => metadata?.[KEY] === owner.customer.key && metadata[ASKED_BY] === 'payer')
      .map(({ payment_method: id }) => (typeof id === 'string' ? id : id?.id)),
  )
  const cards = methods.data.filter(({ id, card }) => isStorable(id) && card).sort((a, b) => b.created - a.created)
  const chosen = customer.invoice_settings?.default_payment_method
  const wanted = typeof chosen === 'string' ? chosen : chosen?.id
  const byDefault = cards.find(({ id }) => id === wanted) ?? cards[0]
  return cards.map((method) => ({
    id: method.id,
    brand: method.card!.brand,
    last4: method.card!.last4,
    expMonth: method.card!.exp_month,
    expYear: method.card!.exp_year,
    isDefault: method === byDefault,
    savedByPayer: own.has(method.id),
    savedAt: new Date(method.created * 1000),
  }))
}

/** Removes a card of the payer. Returns false when the payer has no such card, for example because it is removed already. */
export async function detachCard(stripe: Stripe, owner: CardOwner, id: string, now: Date): Promise<boolean> {
  const cards = await listCards(stripe, owner, now)
  if (!cards.some((card) => card.id === id)) return false
  await stripe.paymentMethods.detach(id, {}, inAccount(owner.account)).catch(unlessGone)
  return true
}

function unlessMissing(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null
  throw error
}

/** Returns null when Stripe rejects the request, because another request removed the card first. Throws other errors. */
function unlessGone(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
  throw error
}
