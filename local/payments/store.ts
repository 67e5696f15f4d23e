import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { KeptAnswer } from './idempotency.ts'

/** The price of a line. Its decimal number is text in the wire format, unlike in the SDK's types. */
interface WirePricing {
  type: 'price_details'
  price_details: { price: string; product: string }
  unit_amount_decimal: string
}

export type WireInvoiceItem = Omit<Stripe.InvoiceItem, 'pricing' | 'quantity_decimal'> & {
  pricing: WirePricing
  quantity_decimal: string
  invoice: string | null
  customer: string
}

export type WireInvoiceLine = Omit<Stripe.InvoiceLineItem, 'pricing' | 'quantity_decimal'> & {
  pricing: WirePricing
  quantity_decimal: string
}

/** A stored invoice. Lines, payments and URLs are added in responses. */
export type StoredInvoice = Omit<Stripe.Invoice, 'lines' | 'payments' | 'hosted_invoice_url' | 'invoice_pdf'> & {
  customer: string
}

export type StoredIntent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'canceled_at' | 'created' | 'currency' | 'livemode' | 'metadata'
> & {
  customer: string
  latest_charge: string | null
  /** The type of the payment method; `card` until it is paid. Absent in older state files, where it is a card. */
  payment_method_types?: [string]
  status: Stripe.PaymentIntent.Status
}

export type StoredPayment = Stripe.InvoicePayment & { invoice: string; payment: { payment_intent: string } }

export type StoredDispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'created'
  | 'currency'
  | 'evidence_details'
  | 'is_charge_refundable'
  | 'livemode'
  | 'metadata'
  | 'reason'
  | 'status'
> & { charge: string; payment_intent: string }

/** The result of charging a card; an expired card is declined. */
export const CARD_KINDS = ['ok', 'declined', 'authentication_required', 'expired'] as const
export type CardKind = (typeof CARD_KINDS)[number]

/** A saved card. `kind`, the result of charging it, is not in responses. */
export interface StoredCard {
  id: string
  object: 'payment_method'
  created: number
  customer: string | null
  livemode: false
  metadata: Stripe.Metadata
  type: 'card'
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  kind: CardKind
}

/** A setup intent, with the session of the hosted page on which the payer saves the card. */
export interface StoredSetup {
  id: string
  object: 'setup_intent'
  created: number
  customer: string
  livemode: false
  metadata: Stripe.Metadata
  payment_method: string | null
  status: 'requires_payment_method' | 'succeeded'
  usage: 'off_session'
  session: { id: string; successUrl: string; expiresAt: number }
}

/** An event as sent; `data.object` is a snapshot of the object at that time. */
export interface WireEvent {
  id: string
  object: 'event'
  account?: string
  api_version: string
  created: number
  data: { object: object }
  livemode: false
  pending_webhooks: number
  request: Stripe.Event.Request | null
  type: Stripe.Event.Type
}

/** The objects of one account by id, in creation order. */
export interface Book {
  customers: Map<string, Stripe.Customer>
  invoices: Map<string, StoredInvoice>
  items: Map<string, WireInvoiceItem>
  payments: Map<string, StoredPayment>
  intents: Map<string, StoredIntent>
  refunds: Map<string, Stripe.Refund>
  disputes: Map<string, StoredDispute>
  cards: Map<string, StoredCard>
  setups: Map<string, StoredSetup>
  events: Map<string, WireEvent>
  /** The secret part of the payment page's URL, by invoice id. */
  tokens: Map<string, string>
}

/** The simulator's whole state: plain data, so that it can be stored in a file. */
export interface State {
  books: Map<string, Book>
  accounts: Map<string, Stripe.Account>
  kept: Map<string, KeptAnswer>
}

/** The account that the secret key belongs to. */
export const OWN_ACCOUNT = 'acct_simulator'

/** Returns an account without objects. */
export function emptyBook(): Book {
  return {
    customers: new Map(),
    invoices: new Map(),
    items: new Map(),
    payments: new Map(),
    intents: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    cards: new Map(),
    setups: new Map(),
    events: new Map(),
    tokens: new Map(),
  }
}

/** Returns the state of a new simulator, with the key's own account only. */
export function emptyState(): State {
  return { books: new Map([[OWN_ACCOUNT, emptyBook()]]), accounts: new Map(), kept: new Map() }
}

/** Returns a new random id in Stripe's form, with a prefix for the kind. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString('base64url').replace(/[-_]/g, '').slice(0, 24).padEnd(24, '0')}`
}
