import type Stripe from 'stripe'
import { findCustomer } from './customers.ts'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { currency, expand, metadata, oneOf, type Param, readParams, required, text, timeRange } from './params.ts'
import { type CardKind, newId, OWN_ACCOUNT, type StoredCard, type StoredSetup } from './store.ts'
import { badParameter, noSuch, wrongState } from './stripe-fault.ts'

const DAY_SECONDS = 24 * 3600

const SETUP_DATA: Param<{ metadata?: Stripe.Metadata | undefined } | undefined> = (value, name) => {
  if (value === undefined) return undefined
  if (typeof value === 'string') throw badParameter(`Invalid object: ${name}`, name)
  return readParams({ metadata }, value)
}

const TYPES: Param<string[] | undefined> = (value, name) => {
  if (value === undefined) return undefined
  const types = Object.values(value)
  if (types.length === 0 || types.some((type) => type !== 'card')) {
    throw badParameter(`Invalid ${name}: this simulator has cards only`, name)
  }
  return types as string[]
}

const ADDRESS: Param<string | undefined> = (value, name) => {
  const given = text(5000)(value, name)
  if (given !== undefined && !/^https?:\/\/[^\s]+$/.test(given))
    throw badParameter('Not a valid URL', name, 'url_invalid')
  return given
}

export const cardEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/checkout/sessions',
    {
      mode: required(oneOf('setup')),
      customer: required(text()),
      currency: required(currency),
      success_url: required(ADDRESS),
      cancel_url: ADDRESS,
      allowed_payment_method_types: TYPES,
      setup_intent_data: SETUP_DATA,
      metadata,
      expand: expand(),
    },
    (scope, given) => {
      const customer = findCustomer(scope, given.customer, 'customer', 400)
      const setup: StoredSetup = {
        id: newId('seti'),
        object: 'setup_intent',
        created: scope.now,
        customer: customer.id,
        livemode: false,
        metadata: given.setup_intent_data?.metadata ?? {},
        payment_method: null,
        status: 'requires_payment_method',
        usage: 'off_session',
        session: { id: newId('cs_test'), successUrl: given.success_url, expiresAt: scope.now + DAY_SECONDS },
      }
      scope.book.setups.set(setup.id, setup)
      return {
        id: setup.session.id,
        object: 'checkout.session',
        created: scope.now,
        livemode: false,
        mode: 'setup',
        customer: customer.id,
        currency: given.currency,
        metadata: given.metadata ?? {},
        setup_intent: setup.id,
        status: 'open',
        payment_status: 'no_payment_required',
        expires_at: setup.session.expiresAt,
        success_url: given.success_url,
        cancel_url: given.cancel_url ?? null,
        ui_mode: 'hosted_page',
        url: `${scope.publicUrl}/c/${scope.account ?? OWN_ACCOUNT}/${setup.session.id}`,
      }
    },
  ),

  endpoint(
    'GET',
    '/v1/setup_intents',
    { ...PAGE, customer: text(), payment_method: text(), created: timeRange, expand: expand() },
    (scope, asked) => {
      const setups = [...scope.book.setups.values()].filter(
        ({ customer, payment_method, created }) =>
          (asked.customer === undefined || customer === asked.customer) &&
          (asked.payment_method === undefined || payment_method === asked.payment_method) &&
          within(asked.created, created),
      )
      const listed = page('/v1/setup_intents', setups, asked)
      return { ...listed, data: listed.data.map(({ session: _, ...setup }) => setup) }
    },
  ),

  endpoint(
    'GET',
    '/v1/customers/:id/payment_methods',
    { ...PAGE, type: text(), expand: expand() },
    (scope, asked, id) => {
      findCustomer(scope, id, 'customer', 404)
      const cards = [...scope.book.cards.values()].filter(({ customer }) => customer === id)
      const listed = page(`/v1/customers/${id}/payment_methods`, cards, asked)
      return { ...listed, data: listed.data.map(showCard) }
    },
  ),

  endpoint('POST', '/v1/payment_methods/:id/detach', { expand: expand() }, (scope, _given, id) => {
    const card = scope.book.cards.get(id)
    if (!card) throw noSuch('PaymentMethod', id, 'payment_method')
    if (card.customer === null) {
      throw wrongState('The payment method you provided is not attached to a customer so detachment is impossible.')
    }
    const settings = scope.book.customers.get(card.customer)?.invoice_settings
    if (settings?.default_payment_method === id) settings.default_payment_method = null
    card.customer = null
    scope.emit('payment_method.detached', showCard(card))
    return showCard(card)
  }),
]

/** Saves a card for the customer of a setup intent, and completes the setup intent. Returns the card. */
export function saveCard(scope: Scope, setup: StoredSetup, kind: CardKind): StoredCard {
  const year = new Date(scope.now * 1000).getUTCFullYear()
  const card: StoredCard = {
    id: newId('pm'),
    object: 'payment_method',
    created: scope.now,
    livemode: false,
    metadata: {},
    type: 'card',
    customer: setup.customer,
    card: { brand: 'visa', last4: LAST_FOUR[kind], exp_month: 12, exp_year: kind === 'expired' ? year - 1 : year + 2 },
    kind,
  }
  scope.book.cards.set(card.id, card)
  Object.assign(setup, { payment_method: card.id, status: 'succeeded' })
  scope.emit('payment_method.attached', showCard(card))
  scope.emit('setup_intent.succeeded', { ...setup, session: undefined })
  return card
}

/** The last four digits of Stripe's test card of each kind. */
const LAST_FOUR: Record<CardKind, string> = {
  ok: '4242',
  declined: '0341',
  authentication_required: '3184',
  expired: '0069',
}

function showCard({ kind: _, ...card }: StoredCard) {
  return card
}
