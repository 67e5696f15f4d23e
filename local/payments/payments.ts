import type { Scope } from './endpoint.ts'
import { newId, type StoredIntent, type StoredInvoice, type StoredPayment } from './store.ts'

/** Creates the payment intent of an open invoice for the amount due, and links them. */
export function openPayment(scope: Scope, invoice: StoredInvoice): void {
  const { now, book } = scope
  const intent: StoredIntent = {
    id: newId('pi'),
    object: 'payment_intent',
    amount: invoice.amount_due,
    amount_received: 0,
    canceled_at: null,
    created: now,
    currency: invoice.currency,
    customer: invoice.customer,
    latest_charge: null,
    livemode: false,
    metadata: {},
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  }
  const payment: StoredPayment = {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
  book.intents.set(intent.id, intent)
  book.payments.set(payment.id, payment)
}

/** Completes the open payment of an invoice that is paid by card or another method. Does nothing without an open payment. */
export function completePayment(scope: Scope, invoice: StoredInvoice, method = 'card'): void {
  const { payment, intent } = openOf(scope, invoice) ?? {}
  if (!payment || !intent) return
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, latest_charge: newId('ch') })
  intent.payment_method_types = [method]
  Object.assign(payment, { status: 'paid', amount_paid: intent.amount })
  payment.status_transitions.paid_at = scope.now
  scope.emit('payment_intent.succeeded', intent)
  scope.emit('invoice_payment.paid', payment)
}

/** Splits an amount off the open payment of an invoice, as a payment of its own, and completes that payment. */
export function completePart(scope: Scope, invoice: StoredInvoice, amount: number, method: string): void {
  const { payment, intent } = openOf(scope, invoice) ?? {}
  if (!payment || !intent) return
  intent.amount -= amount
  payment.amount_requested -= amount
  const part: StoredIntent = {
    ...intent,
    id: newId('pi'),
    amount,
    amount_received: amount,
    latest_charge: newId('ch'),
    status: 'succeeded',
    payment_method_types: [method],
  }
  const paid: StoredPayment = {
    ...payment,
    id: newId('inpay'),
    amount_paid: amount,
    amount_requested: amount,
    is_default: false,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: part.id },
    status_transitions: { canceled_at: null, paid_at: scope.now },
  }
  scope.book.intents.set(part.id, part)
  scope.book.payments.set(paid.id, paid)
  scope.emit('payment_intent.succeeded', part)
  scope.emit('invoice_payment.paid', paid)
}

/** Cancels the payment of an invoice that was voided or paid in another way. */
export function cancelPayment(scope: Scope, invoice: StoredInvoice): void {
  const { payment, intent } = openOf(scope, invoice) ?? {}
  if (!payment || !intent) return
  Object.assign(intent, { status: 'canceled', canceled_at: scope.now })
  payment.status = 'canceled'
  payment.status_transitions.canceled_at = scope.now
  scope.emit('payment_intent.canceled', intent)
}

function openOf({ book }: Scope, invoice: StoredInvoice) {
  const payment = [...book.payments.values()].find((row) => row.invoice === invoice.id && row.status === 'open')
  return payment && { payment, intent: book.intents.get(payment.payment.payment_intent) }
}
