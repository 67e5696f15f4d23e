import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Scope } from './endpoint.ts'
import { newId, type StoredInvoice } from './store.ts'
import { wrongState } from './stripe-fault.ts'

/** The parameters of a new invoice. */
interface DraftParams {
  auto_advance?: boolean
  collection_method?: 'charge_automatically' | 'send_invoice'
  currency?: string
  days_until_due?: number
  description?: string
  due_date?: number
  footer?: string
  metadata?: Stripe.Metadata
}

/**
 * Stores and returns a draft without lines.
 * @throws StripeFault when the due date is missing, given twice, past, or not allowed for the collection method
 */
export function newDraft(scope: Scope, customer: Stripe.Customer, given: DraftParams): StoredInvoice {
  const { now } = scope
  const invoice: StoredInvoice = {
    id: newId('in'),
    object: 'invoice',
    account_country: 'US',
    account_name: 'Simulated account',
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: given.auto_advance ?? false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: given.auto_advance ? now + 3601 : null,
    billing_reason: 'manual',
    collection_method: given.collection_method ?? 'charge_automatically',
    created: now,
    currency: given.currency ?? 'usd',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: given.description ?? null,
    discounts: [],
    due_date: dueDate(now, given),
    effective_at: null,
    ending_balance: null,
    footer: given.footer ?? null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: false,
    metadata: given.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  }
  scope.book.invoices.set(invoice.id, invoice)
  scope.book.tokens.set(invoice.id, randomBytes(24).toString('base64url'))
  return invoice
}

function dueDate(now: number, { collection_method, days_until_due, due_date }: DraftParams): number | null {
  const given = [days_until_due, due_date].filter((value) => value !== undefined).length
  if (collection_method !== 'send_invoice') {
    if (given === 0) return null
    throw wrongState(
      "You can only specify 'due_date' or 'days_until_due' if invoice collection method is 'send_invoice'.",
    )
  }
  if (given === 0) {
    throw wrongState("If invoice collection method is 'send_invoice', you must specify 'due_date' or 'days_until_due'.")
  }
  if (given === 2) {
    throw wrongState('You may only specify one of these parameters: days_until_due, due_date.')
  }
  const due = due_date ?? now + (days_until_due ?? 0) * 86_400
  if (due <= now) throw wrongState('Invalid due_date: must be in the future.', undefined, 'due_date')
  return due
}
