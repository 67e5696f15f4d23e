import type Stripe from 'stripe'
import { lostOf } from './disputes.ts'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { expand, integer, metadata, oneOf, type Param, text, timeRange } from './params.ts'
import { newId, type StoredIntent, type StoredPayment } from './store.ts'
import { badParameter, noSuch, wrongState } from './stripe-fault.ts'

const PAYMENT: Param<{ payment_intent?: string } | undefined> = (value) =>
  typeof value === 'object' && typeof value.payment_intent === 'string'
    ? { payment_intent: value.payment_intent }
    : undefined

/** The expansion that adds the charge to each payment of a list. The charge contains the payment method. */
const CHARGE_OF_EACH = 'data.payment.payment_intent.latest_charge'

export const paymentEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    '/v1/invoice_payments',
    {
      ...PAGE,
      invoice: text(),
      payment: PAYMENT,
      status: oneOf('open', 'paid', 'canceled'),
      created: timeRange,
      expand: expand(CHARGE_OF_EACH),
    },
    (scope, asked) => {
      const payments = [...scope.book.payments.values()].filter(
        ({ invoice, status, created, payment }) =>
          (asked.invoice === undefined || invoice === asked.invoice) &&
          (asked.status === undefined || status === asked.status) &&
          (asked.payment === undefined || payment.payment_intent === asked.payment.payment_intent) &&
          within(asked.created, created),
      )
      const listed = page('/v1/invoice_payments', payments, asked)
      return asked.expand?.includes(CHARGE_OF_EACH)
        ? { ...listed, data: listed.data.map((payment) => withCharge(scope, payment)) }
        : listed
    },
  ),

  endpoint('GET', '/v1/invoice_payments/:id', { expand: expand() }, (scope, _asked, id) => {
    const payment = scope.book.payments.get(id)
    if (!payment) throw noSuch('invoice payment', id, 'invoice_payment')
    return payment
  }),

  endpoint('GET', '/v1/payment_intents/:id', { expand: expand() }, (scope, _asked, id) =>
    findIntent(scope, id, 'intent', 404),
  ),

  endpoint(
    'POST',
    '/v1/refunds',
    {
      payment_intent: text(),
      charge: text(),
      amount: integer(1),
      metadata,
      reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
      expand: expand(),
    },
    (scope, given) => createRefund(scope, refundable(scope, given), given),
  ),

  endpoint(
    'GET',
    '/v1/refunds',
    { ...PAGE, payment_intent: text(), charge: text(), created: timeRange, expand: expand() },
    (scope, asked) => {
      const refunds = [...scope.book.refunds.values()].filter(
        ({ payment_intent, charge, created }) =>
          (asked.payment_intent === undefined || payment_intent === asked.payment_intent) &&
          (asked.charge === undefined || charge === asked.charge) &&
          within(asked.created, created),
      )
      return page('/v1/refunds', refunds, asked)
    },
  ),

  endpoint('GET', '/v1/refunds/:id', { expand: expand() }, (scope, _asked, id) => {
    const refund = scope.book.refunds.get(id)
    if (!refund) throw noSuch('refund', id, 'refund')
    return refund
  }),
]

interface GivenRefund {
  amount?: number | undefined
  metadata?: Stripe.Metadata | undefined
  reason?: Stripe.Refund['reason'] | undefined
}

/**
 * Refunds a payment or a part of it.
 * @throws StripeFault when a dispute of the payment is open or lost, the payment is refunded already, or the amount is
 * greater than the amount left
 */
export function createRefund(scope: Scope, intent: StoredIntent, given: GivenRefund): Stripe.Refund {
  if (lostOf(scope, intent.id) > 0) {
    throw wrongState(`Charge ${intent.latest_charge} has been charged back; cannot issue a refund.`, 'charge_disputed')
  }
  const left = intent.amount_received - refundedOf(scope, intent.id)
  if (left === 0) {
    throw wrongState(`Charge ${intent.latest_charge} has already been refunded.`, 'charge_already_refunded')
  }
  const amount = given.amount ?? left
  if (amount > left) {
    const message = `Refund amount (${cents(amount)}) is greater than unrefunded amount on charge (${cents(left)})`
    throw wrongState(message, undefined, 'amount')
  }
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: intent.latest_charge,
    created: scope.now,
    currency: intent.currency,
    customer: intent.customer,
    customer_account: null,
    metadata: given.metadata ?? {},
    payment_intent: intent.id,
    payment_method: null,
    reason: given.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
  scope.book.refunds.set(refund.id, refund)
  scope.emit('refund.created', refund)
  return refund
}

/** Returns a payment with its payment intent and charge embedded; the charge contains the payment method. */
function withCharge({ book }: Scope, payment: StoredPayment): object {
  const intent = book.intents.get(payment.payment.payment_intent)
  if (!intent) return payment
  const { latest_charge: id, payment_method_types: [type] = ['card'], amount, currency, created } = intent
  const charge = id && {
    id,
    object: 'charge',
    amount,
    currency,
    created,
    livemode: false,
    paid: true,
    payment_intent: intent.id,
    payment_method_details: { type, [type]: {} },
  }
  return { ...payment, payment: { ...payment.payment, payment_intent: { ...intent, latest_charge: charge } } }
}

/** Returns the refunded part of a payment, in cents. */
function refundedOf({ book }: Scope, intent: string): number {
  const refunds = [...book.refunds.values()].filter((refund) => refund.payment_intent === intent)
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

function refundable(scope: Scope, given: { payment_intent?: string; charge?: string }): StoredIntent {
  const { payment_intent, charge } = given
  if (payment_intent === undefined && charge === undefined) {
    throw badParameter(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'charge',
    )
  }
  const byCharge = [...scope.book.intents.values()].find((intent) => intent.latest_charge === charge)
  const intent = payment_intent === undefined ? byCharge : findIntent(scope, payment_intent, 'payment_intent', 400)
  if (!intent) throw noSuch('charge', charge ?? '', 'charge', 400)
  if (intent.status !== 'succeeded') {
    throw wrongState('This PaymentIntent does not have a successful charge to refund.', undefined, 'payment_intent')
  }
  return intent
}

function findIntent(scope: Scope, id: string, param: string, status: 400 | 404): StoredIntent {
  const intent = scope.book.intents.get(id)
  if (!intent) throw noSuch('payment_intent', id, param, status)
  return intent
}

function cents(amount: number): string {
  return `$${(amount / 100).toFixed(2)}`
}
