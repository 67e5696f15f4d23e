import type { Cents } from '../../kernel/units.ts'
/** The gateway account of invoices and customers: a school's connected account, or null for the service's own. */
export type GatewayAccount = string | null

export interface GatewayPayer {
  /** Random, stored on the payer's row and the same for every invoice of this payer. */
  key: string
  /** The customer id of an earlier invoice; null when none is stored. */
  gatewayCustomerId: string | null
  name: string
  email: string | null
}

/** One line of an invoice; `amountCents` may be negative (a discount). */
export interface GatewayItem {
  /** Derived from the row's id: `item_<id>`. Unique within the invoice. */
  key: string
  description: string
  amountCents: Cents
}

/** The row that an invoice of the gateway belongs to. */
export interface GatewayReference {
  organizationId: number
  invoiceId: number
}

/** Identifies an invoice to look up at the gateway. */
export interface FindInvoice {
  account: GatewayAccount
  /** Random and stored on the invoice's row. An invoice whose lines are replaced needs a new key. */
  key: string
  customer: Pick<GatewayPayer, 'key' | 'gatewayCustomerId'>
  /** The instant at which the row was created: older invoices are not searched. */
  createdAt: Date
}

/** An invoice to issue. The items add up to at least 50 cents. */
export interface IssueInvoice extends FindInvoice {
  customer: GatewayPayer
  /** ISO 4217, in lower case. */
  currency: string
  items: readonly GatewayItem[]
  memo: string | null
  /** Null for no due date; the gateway's invoice then has none either. */
  dueAt: Date | null
  reference: GatewayReference
}

/** A reference to an invoice that exists at the gateway. */
export interface InvoiceAtGateway {
  account: GatewayAccount
  gatewayInvoiceId: string
}

export type GatewayInvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

/** The gateway's current state of an invoice. Amounts are cents of `currency`. */
export interface GatewayInvoice {
  gatewayInvoiceId: string
  gatewayCustomerId: string
  status: GatewayInvoiceStatus
  /** The payment page; null for a draft. */
  payUrl: string | null
  pdfUrl: string | null
  currency: string
  totalCents: Cents
  amountPaidCents: Cents
  /** The amount due: total minus payments, adjusted by the payer's earlier balance. */
  amountDueCents: Cents
  paidAt: Date | null
  /** The key of the service's invoice; null for an invoice that the service did not create. */
  key: string | null
  /** Null for an invoice that the service did not create. */
  reference: GatewayReference | null
}

/** An invoice that is payable or paid at the gateway. */
export type IssuedInvoice = GatewayInvoice & { payUrl: string }

export type DisputeStatus = 'open' | 'won' | 'lost'

/** The payments, refunds and disputes of an invoice at the gateway, in their present state. */
export interface GatewayMoney {
  invoice: GatewayInvoice
  /** `method`: `other` is a bank transfer, a direct debit or a wallet; the gateway refunds these too. */
  payments: { id: string; paidCents: Cents; paidAt: Date | null; method: 'card' | 'other' }[]
  /** Without failed and cancelled ones. `key`: the key of the service's refund; null for one that was made at the gateway. */
  refunds: { key: string | null; amountCents: Cents }[]
  /** Oldest first. `evidenceDueAt`: the last instant for the school's evidence; null when the payer's bank takes none. */
  disputes: { status: DisputeStatus; amountCents: Cents; evidenceDueAt: Date | null }[]
}

/** A refund of a paid invoice. */
export interface RefundInvoice extends InvoiceAtGateway {
  /** Random and stored with the refund; a further refund of the invoice has a new key. */
  key: string
  /** Null for everything that was paid and is not refunded yet. */
  amountCents: Cents | null
}

/** A payer whose cards are kept at the gateway, and the account that has them. */
export interface CardOwner {
  account: GatewayAccount
  customer: Pick<GatewayPayer, 'key' | 'gatewayCustomerId'>
}

/** A request for the page of the gateway on which a payer saves a card. */
export interface StartCardSetup extends CardOwner {
  customer: GatewayPayer
  /** ISO 4217, in lower case. */
  currency: string
  /** Who asked for the page: the payer or somebody else. */
  askedBy: 'payer' | 'other'
  returnUrl: string
}

/** A card on file. Its number stays at the gateway. */
export interface SavedCard {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
  /** Whether the payer asked for the page where it was saved. */
  savedByPayer: boolean
  savedAt: Date
}

/** An open invoice to pay with a saved card of its payer. */
export interface ChargeCard extends InvoiceAtGateway {
  cardId: string
  /** Identifies one attempt: every repeat of the attempt has the same key. */
  key: string
  /** The amount left to pay, in cents. When the gateway's invoice has a different amount left, nothing is charged. */
  amountCents: Cents
}

/** `changed`: not charged; the invoice is closed or has another amount left. `wants_payer`: the bank requires the payer; no decline. */
export type ChargeOutcome =
  | { outcome: 'paid'; invoice: GatewayInvoice }
  | { outcome: 'changed'; invoice: GatewayInvoice }
  | { outcome: 'declined'; code: string | null }
  | { outcome: 'wants_payer' }

/** A school that connects its own account. */
export interface ConnectAccount {
  /** Random and stored on the organization's row. */
  key: string
  /** The account of an earlier call; null creates one. */
  account: GatewayAccount
  email: string
  /** The pages to which the gateway redirects the school: at the end of the onboarding, and when the link has expired. */
  returnUrl: string
  refreshUrl: string
}

/** The ids in an event. Statuses and amounts are read from the gateway, so the content of an event cannot move money. */
export interface NamedByEvent {
  gatewayInvoiceId: string | null
  payment: string | null
  /** The row in the metadata of the invoice. It may not have the id of the gateway's invoice yet. */
  reference: GatewayReference | null
  /** Whether the event reports a payment. When that payment is stored already, the event brings nothing new. */
  paid: boolean
}

/** A webhook event. Events repeat and arrive out of order, so the present state is read with `readMoney`. */
export interface GatewayEvent {
  id: string
  /** The gateway's event type, for the log. */
  type: string
  account: GatewayAccount
  occurredAt: Date
  /** Null when the event is about no invoice of the service, or changes none. */
  names: NamedByEvent | null
}

/** A page of an account's events, newest first. `next`: the `after` of the next page; null on the last page. */
export type GatewayEvents = { events: GatewayEvent[]; next: string | null }

/**
 * Collects money for invoices. Every call has a time limit. It throws GatewayRefused when no retry can succeed, and
 * GatewayUnavailable when one can. Each call can be repeated, in any order and by two processes at the same time.
 */
export interface PaymentGateway {
  /** The `processor.name` of an invoice in the interface. */
  readonly name: string

  /**
   * Issues one invoice and returns it when it is payable. However often it is called or interrupted, only one invoice per
   * `key` results. An existing invoice is returned in its current state, also when it is paid or void.
   */
  issueInvoice(request: IssueInvoice): Promise<IssuedInvoice>

  /** Returns the invoice with this key in any state; null when there is none. */
  findInvoice(request: FindInvoice): Promise<GatewayInvoice | null>

  retrieveInvoice(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** Returns the invoices that the service created in an account since an instant, in any state. */
  listInvoices(account: GatewayAccount, since: Date): Promise<GatewayInvoice[]>

  /** Marks an invoice as paid with cash, a check or the like. A paid invoice stays as it is; a void one is rejected. */
  markPaidOutOfBand(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** Returns the cents that were paid through the gateway; other payments do not count. */
  receivedCents(invoice: InvoiceAtGateway): Promise<Cents>

  /** Returns the payments, refunds and disputes of an invoice. */
  readMoney(invoice: InvoiceAtGateway): Promise<GatewayMoney>

  /** Returns the gateway's id of the invoice that a payment paid; null when it paid none. */
  findInvoiceOfPayment(account: GatewayAccount, payment: string): Promise<string | null>

  /** Returns a page of an account's events that may concern invoices. `after`: the `next` of the previous page. */
  listEvents(account: GatewayAccount, asked: { since: Date; after: string | null }): Promise<GatewayEvents>

  /** Voids an unpaid invoice, also an incomplete draft; a deleted one counts as void. A paid one is rejected. */
  voidInvoice(invoice: InvoiceAtGateway): Promise<void>

  /** Refunds payments made through the gateway and returns the refunded cents: 0 when nothing was paid through it. */
  refund(request: RefundInvoice): Promise<{ refundedCents: Cents }>

  /** Returns the page where a payer saves a card, and the payer's customer, which is created if necessary. */
  startCardSetup(request: StartCardSetup): Promise<{ url: string; gatewayCustomerId: string }>

  /** Returns the payer's cards, newest first; one is the default. */
  listCards(owner: CardOwner): Promise<SavedCard[]>

  /** Removes a saved card; returns false when the payer has no such card. */
  detachCard(owner: CardOwner, cardId: string): Promise<boolean>

  /** Charges a saved card for an open invoice, without the payer. It pays the gateway's own invoice, so at most once. */
  chargeCard(request: ChargeCard): Promise<ChargeOutcome>

  /** Returns the account of a school, created when it has none, and the URL of its onboarding page. */
  connectAccount(request: ConnectAccount): Promise<{ account: string; onboardingUrl: string }>

  /** Returns whether the account can receive payments. */
  accountReady(account: string): Promise<boolean>

  /**
   * Returns the event of a signed webhook; null when the signed body is not a readable event.
   * @throws BadSignature when the signature is invalid or not within five minutes of now, or the event is in the future
   */
  verifyEvent(rawBody: Buffer, signature: string): GatewayEvent | null
}
