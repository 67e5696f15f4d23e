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
  /** The creation of the invoice's row: older invoices are not searched. */
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

/** What the gateway took in, gave back and lost for an invoice, in its present state. */
export interface GatewayMoney {
  invoice: GatewayInvoice
  /** `method`: `other` is a bank transfer, a debit or a wallet; the gateway gives it back too. */
  payments: { id: string; paidCents: Cents; paidAt: Date | null; method: 'card' | 'other' }[]
  /** Neither failed nor cancelled. `key`: of the service's refund; null for one that was made at the gateway. */
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

/** A payer who is to save a card on the gateway's page. */
export interface StartCardSetup extends CardOwner {
  customer: GatewayPayer
  /** ISO 4217, in lower case. */
  currency: string
  /** Whether the payer asked for the page, or somebody else. */
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
  /** The same for every repeat of one attempt. */
  key: string
  /** What is left to pay; with another amount nothing is charged. */
  amountCents: Cents
}

/** What came of it. `wants_payer`: the bank does, which is no decline. `changed`: closed, or another amount is left; not charged. */
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
  /** The pages to which the gateway redirects the school: when it is done, and when the link expired. */
  returnUrl: string
  refreshUrl: string
}

/** What an event names. No status and no amount: they are read from the gateway, so an event moves no money by what it says. */
export interface NamedByEvent {
  gatewayInvoiceId: string | null
  payment: string | null
  /** The row that the invoice says it belongs to; it may not have the id of the gateway's invoice yet. */
  reference: GatewayReference | null
  /** Whether the event says that the invoice, or the payment, is paid: nothing is new when that is stored. */
  paid: boolean
}

/** A webhook event. Events repeat and arrive out of order, so `readMoney` decides. */
export interface GatewayEvent {
  id: string
  /** The gateway's event type, for the log. */
  type: string
  account: GatewayAccount
  occurredAt: Date
  /** Null when the event is about no invoice of the service, or changes none. */
  names: NamedByEvent | null
}

/** A page of an account's events, newest first; `next`: where the next page begins, null on the last one. */
export type GatewayEvents = { events: GatewayEvent[]; next: string | null }

/**
 * Collects money for invoices. Every call has a time limit and throws GatewayRefused when no retry can succeed and
 * GatewayUnavailable when one can. Each is safe to repeat, in any order and from two processes at once.
 */
export interface PaymentGateway {
  /** The `processor.name` of an invoice in the interface. */
  readonly name: string

  /**
   * Issues one invoice and returns it when it is payable. One invoice per `key` results, however often it is called or
   * interrupted. An existing invoice is returned in its current state, paid or void included.
   */
  issueInvoice(request: IssueInvoice): Promise<IssuedInvoice>

  /** Returns the invoice with this key in any state; null when there is none. */
  findInvoice(request: FindInvoice): Promise<GatewayInvoice | null>

  retrieveInvoice(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** Returns the service's invoices in an account from an instant on, in any state. */
  listInvoices(account: GatewayAccount, since: Date): Promise<GatewayInvoice[]>

  /** Marks an invoice paid by cash, check or the like. A paid invoice stays as it is; a void one is rejected. */
  markPaidOutOfBand(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** Returns the cents that were paid through the gateway; other payments do not count. */
  receivedCents(invoice: InvoiceAtGateway): Promise<Cents>

  /** Reads what was paid, refunded and disputed of an invoice. */
  readMoney(invoice: InvoiceAtGateway): Promise<GatewayMoney>

  /** Returns the gateway's id of the invoice that a payment paid; null when it paid none. */
  findInvoiceOfPayment(account: GatewayAccount, payment: string): Promise<string | null>

  /** Returns a page of an account's events that may concern invoices; `after`: the `next` of the page before. */
  listEvents(account: GatewayAccount, asked: { since: Date; after: string | null }): Promise<GatewayEvents>

  /** Voids an unpaid invoice, also an incomplete draft; a deleted one counts as void. A paid one is rejected. */
  voidInvoice(invoice: InvoiceAtGateway): Promise<void>

  /** Refunds the card that paid, and returns the cents refunded: 0 for money that was paid another way. */
  refund(request: RefundInvoice): Promise<{ refundedCents: Cents }>

  /** Returns the page where a payer saves a card, and the payer's customer, which is created if necessary. */
  startCardSetup(request: StartCardSetup): Promise<{ url: string; gatewayCustomerId: string }>

  /** Returns the payer's cards, newest first; one is the default. */
  listCards(owner: CardOwner): Promise<SavedCard[]>

  /** Takes a card away; returns false when the payer has no such card. */
  detachCard(owner: CardOwner, cardId: string): Promise<boolean>

  /** Pays an open invoice with a saved card, without the payer: the gateway's own invoice, so never a second time. */
  chargeCard(request: ChargeCard): Promise<ChargeOutcome>

  /** Creates an account for a school and returns the URL of its onboarding page. */
  connectAccount(request: ConnectAccount): Promise<{ account: string; onboardingUrl: string }>

  /** Returns whether the account can receive payments. */
  accountReady(account: string): Promise<boolean>

  /**
   * Parses and verifies a webhook; returns null for a signed body that is not a readable event.
   * @throws BadSignature unless the gateway signed these bytes within five minutes of now, and they are not of the future
   */
  verifyEvent(rawBody: Buffer, signature: string): GatewayEvent | null
}
