import type Stripe from 'stripe'
import { findCustomer } from './customers.ts'
import type { Scope } from './endpoint.ts'
import { showInvoice } from './invoice-view.ts'
import { cancelPayment, completePart, completePayment, openPayment } from './payments.ts'
import type { StoredInvoice } from './store.ts'
import { authenticationRequired, declined, expired, noSuch, type StripeFault, wrongState } from './stripe-fault.ts'

/** Stripe's minimum charge by currency, in the currency's smallest unit. A smaller amount is carried to the next invoice. */
const LEAST: Record<string, number> = { gbp: 30, mxn: 1000, sek: 300, nok: 300, dkk: 250, czk: 1500, huf: 17_500 }
const LEAST_ELSEWHERE = 50

const NOT_OPEN = "You can only pass in open invoices. This invoice isn't open."

/** Stripe's test card that is declined; every other test card is charged. */
const DECLINED_CARD = 'pm_card_chargeDeclined'

/**
 * Draft → open. Applies the customer's balance to the total. When the result is below Stripe's minimum, nothing is due:
 * the invoice becomes paid, and the result becomes the customer's balance.
 * @throws StripeFault when the invoice is not a draft or its due date has passed
 */
export function finalize(scope: Scope, invoice: StoredInvoice): StoredInvoice {
  if (invoice.status !== 'draft') {
    throw wrongState("This invoice is already finalized, you can't re-finalize a non-draft invoice.")
  }
  if (invoice.due_date !== null && invoice.due_date <= scope.now) {
    throw wrongState('Invalid due_date: must be in the future.', undefined, 'due_date')
  }
  const customer = findCustomer(scope, invoice.customer, 'customer', 400)
  const owed = invoice.total + customer.balance
  const least = LEAST[invoice.currency] ?? LEAST_ELSEWHERE
  const due = owed < least ? 0 : owed
  const number = customer.next_invoice_sequence ?? 1
  Object.assign(invoice, {
    status: 'open',
    number: `${customer.invoice_prefix}-${String(number).padStart(4, '0')}`,
    starting_balance: customer.balance,
    ending_balance: owed - due,
    amount_due: due,
    amount_remaining: due,
    effective_at: scope.now,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, finalized_at: scope.now },
  } satisfies Partial<StoredInvoice>)
  customer.balance = owed - due
  customer.next_invoice_sequence = number + 1
  announce(scope, 'invoice.finalized', invoice)
  if (due === 0) settle(scope, invoice, { attempted: true })
  else openPayment(scope, invoice)
  return invoice
}

/**
 * Open or uncollectible → paid: by a card, or out of band (without a charge). A draft is finalized first.
 * @throws StripeFault when the invoice is paid or void, or the card cannot be charged
 */
export function pay(
  scope: Scope,
  invoice: StoredInvoice,
  by: { paid_out_of_band?: boolean; payment_method?: string; off_session?: boolean },
): StoredInvoice {
  if (invoice.status === 'draft') finalize(scope, invoice)
  if (invoice.status === 'paid') throw wrongState('Invoice is already paid')
  if (invoice.status === 'void') throw wrongState(NOT_OPEN)
  if (by.paid_out_of_band) {
    cancelPayment(scope, invoice)
    return settle(scope, invoice, { attempted: invoice.attempted })
  }
  const { default_payment_method } = findCustomer(scope, invoice.customer, 'customer', 400).invoice_settings
  const method = by.payment_method ?? (typeof default_payment_method === 'string' ? default_payment_method : undefined)
  if (method === undefined) {
    throw wrongState(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set either a `default_payment_method` or a `default_source`.',
    )
  }
  assertBelongs(scope, invoice, method)
  return charge(scope, invoice, method, { offSession: by.off_session ?? true })
}

/** Pays an amount of an open invoice by a card or another method; paying the whole remaining amount makes it paid. */
export function payPart(scope: Scope, invoice: StoredInvoice, amount: number, method = 'card'): StoredInvoice {
  if (invoice.status !== 'open') throw wrongState(NOT_OPEN)
  if (amount > invoice.amount_remaining) throw wrongState('The payment is greater than the amount remaining.')
  if (amount === invoice.amount_remaining) {
    if (method === 'card') return charge(scope, invoice, 'pm_card_visa')
    completePayment(scope, invoice, method)
    return settle(scope, invoice, { attempted: true })
  }
  completePart(scope, invoice, amount, method)
  invoice.amount_paid += amount
  invoice.amount_remaining -= amount
  announce(scope, 'invoice.updated', invoice)
  return invoice
}

/**
 * Charges the invoice to a card. Counts the attempt.
 * @throws StripeFault (402) when the card is refused; the event of the failure is recorded first
 */
export function charge(
  scope: Scope,
  invoice: StoredInvoice,
  paymentMethod: string,
  { offSession = false } = {},
): StoredInvoice {
  invoice.attempted = true
  invoice.attempt_count += 1
  const problem = refusalOf(scope, paymentMethod, offSession)
  if (problem) {
    announce(scope, 'invoice.payment_failed', invoice)
    if (problem.body.code === 'authentication_required') announce(scope, 'invoice.payment_action_required', invoice)
    throw problem
  }
  completePayment(scope, invoice)
  return settle(scope, invoice, { attempted: true })
}

/** Refuses a saved card that does not exist or belongs to another customer than the invoice. */
function assertBelongs({ book }: Scope, invoice: StoredInvoice, id: string): void {
  if (id.startsWith('pm_card_')) return
  const card = book.cards.get(id)
  if (!card) throw noSuch('PaymentMethod', id, 'payment_method', 400)
  if (card.customer === invoice.customer) return
  throw wrongState(
    'The payment method you provided does not belong to the customer of this invoice.',
    'payment_method_invalid_parameter',
    'payment_method',
  )
}

/**
 * Returns the error of charging a card; null when the charge succeeds. A card that needs authentication fails only off
 * session, when the payer is not present.
 */
function refusalOf({ book }: Scope, id: string, offSession: boolean): StripeFault | null {
  const kind = id === DECLINED_CARD ? 'declined' : (book.cards.get(id)?.kind ?? 'ok')
  if (kind === 'declined') return declined()
  if (kind === 'expired') return expired()
  return kind === 'authentication_required' && offSession ? authenticationRequired() : null
}

function settle(scope: Scope, invoice: StoredInvoice, { attempted }: { attempted: boolean }): StoredInvoice {
  Object.assign(invoice, {
    status: 'paid',
    attempted,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    status_transitions: { ...invoice.status_transitions, paid_at: scope.now },
  } satisfies Partial<StoredInvoice>)
  announce(scope, 'invoice.paid', invoice)
  announce(scope, 'invoice.payment_succeeded', invoice)
  return invoice
}

/**
 * Open or uncollectible → void.
 * @throws StripeFault when the invoice has another status or is paid in part
 */
export function voidOpen(scope: Scope, invoice: StoredInvoice): StoredInvoice {
  const paidInPart = invoice.status === 'open' && invoice.amount_paid > 0
  if (invoice.status === 'paid' || paidInPart) throw wrongState('Invoices with `paid` payments cannot be voided.')
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw wrongState(NOT_OPEN)
  cancelPayment(scope, invoice)
  invoice.status = 'void'
  invoice.status_transitions.voided_at = scope.now
  announce(scope, 'invoice.voided', invoice)
  return invoice
}

/**
 * Open → uncollectible; the invoice can still be paid.
 * @throws StripeFault when it is not open
 */
export function markUncollectible(scope: Scope, invoice: StoredInvoice): StoredInvoice {
  if (invoice.status === 'uncollectible') throw wrongState('This invoice has already been marked uncollectible.')
  if (invoice.status !== 'open') throw wrongState(NOT_OPEN)
  invoice.status = 'uncollectible'
  invoice.status_transitions.marked_uncollectible_at = scope.now
  announce(scope, 'invoice.marked_uncollectible', invoice)
  return invoice
}

function announce(scope: Scope, type: Stripe.Event.Type, invoice: StoredInvoice): void {
  scope.emit(type, showInvoice(scope, invoice))
}
