/** Where our invoices and customers lie at the processor: a school's connected account, or null for the service's own. */
export type GatewayAccount = string | null

/** One payer as we know them. */
export interface GatewayPayer {
  /** Random, stored on our row and the same for every invoice of this payer. */
  key: string
  /** What an earlier invoice answered; null when we have none stored. */
  processorCustomerId: string | null
  name: string
  email: string | null
}

/** One line of an invoice; `amountCents` may be negative (a discount). */
export interface GatewayItem {
  /** Derived from our row: `item_<id>`. Unique within the invoice. */
  key: string
  description: string
  amountCents: number
}

/** What leads from the processor's invoice back to ours. */
export interface GatewayReference {
  organizationId: number
  invoiceId: number
}

/** Which of our invoices to look for at the processor. */
export interface FindInvoice {
  account: GatewayAccount
  /** Random and stored on our row. An invoice whose lines are replaced needs a new key. */
  key: string
  customer: Pick<GatewayPayer, 'key' | 'processorCustomerId'>
  /** When our row was written: nothing older is looked through. */
  createdAt: Date
}

/** An invoice to raise. The items add up to at least 50 cents. */
export interface RaiseInvoice extends FindInvoice {
  customer: GatewayPayer
  /** ISO 4217, in lower case. */
  currency: string
  items: readonly GatewayItem[]
  memo: string | null
  /** Null: the payer is given no date. The processor then holds one a year away, which is not ours. */
  dueAt: Date | null
  reference: GatewayReference
}

/** An invoice that the processor already has. */
export interface InvoiceAtGateway {
  account: GatewayAccount
  processorInvoiceId: string
}

export type GatewayInvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

/** An invoice as the processor has it now. Amounts are cents of `currency`. */
export interface GatewayInvoice {
  processorInvoiceId: string
  processorCustomerId: string
  status: GatewayInvoiceStatus
  /** Where the payer pays; null while it is a draft. */
  payUrl: string | null
  pdfUrl: string | null
  currency: string
  totalCents: number
  amountPaidCents: number
  /** What is still to be paid: total less payments, moved by what the payer owed or had in credit before. */
  amountDueCents: number
  paidAt: Date | null
  /** The key that it was raised under; null when the invoice is not one of ours. */
  key: string | null
  /** Null when the invoice is not one of ours. */
  reference: GatewayReference | null
}

/** An invoice that stands at the processor and can be paid (or already is). */
export interface RaisedInvoice extends GatewayInvoice {
  payUrl: string
}

/** Money to give back on a paid invoice. */
export interface RefundInvoice extends InvoiceAtGateway {
  /** Random and stored on our row, new for every further refund of one invoice. */
  key: string
  /** Null: all that was paid and not given back yet. */
  amountCents: number | null
}

/** A school that wants to bill through an account of its own. */
export interface ConnectAccount {
  /** Random and stored on our row. */
  key: string
  /** The account that an earlier call made; null makes one. */
  account: GatewayAccount
  email: string
  /** Where the processor sends the school back to, when done and when its link ran out. */
  returnUrl: string
  refreshUrl: string
}

export type GatewayEventKind =
  | 'invoice_paid'
  | 'invoice_payment_failed'
  | 'invoice_voided'
  | 'invoice_uncollectible'
  | 'other'

/** What the processor reported. Events come more than once and out of order: what counts is `retrieveInvoice`. */
export interface GatewayEvent {
  id: string
  kind: GatewayEventKind
  /** The processor's own name for it, for the log. */
  type: string
  account: GatewayAccount
  occurredAt: Date
  /** The invoice as it was then; null when the event is of no invoice of ours. */
  invoice: GatewayInvoice | null
}

/**
 * Collects money for our invoices. Every call ends within a stated time and throws GatewayRefused when no retry can
 * heal it and GatewayUnavailable when one can; each is safe to repeat, in any order and from two processes at once.
 */
export interface PaymentGateway {
  /** For `processor.name` of an invoice. */
  readonly name: string

  /**
   * Raises one invoice and answers when it is payable. However often it is called, and however an earlier call broke
   * off, one invoice per `key` results. An invoice that already stands is answered as it stands, paid or void included.
   */
  raiseInvoice(request: RaiseInvoice): Promise<RaisedInvoice>

  /** The invoice raised under this key, finished or not; null when there is none. */
  findInvoice(request: FindInvoice): Promise<GatewayInvoice | null>

  retrieveInvoice(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** Money came in another way (cash, check). A paid invoice stays as it is; a void one is refused. */
  markPaidOutOfBand(invoice: InvoiceAtGateway): Promise<GatewayInvoice>

  /** What payers paid on it through the processor, in cents; nothing of what came another way. */
  receivedCents(invoice: InvoiceAtGateway): Promise<number>

  /** Ends an unpaid invoice, a half-raised one too; one that is gone counts as ended. A paid one is refused. */
  voidInvoice(invoice: InvoiceAtGateway): Promise<void>

  /** Gives money back on the card it came from; answers the cents given back, 0 for money that came another way. */
  refund(request: RefundInvoice): Promise<{ refundedCents: number }>

  /** Opens an account for a school, and the page where the school tells the processor who it is. */
  connectAccount(request: ConnectAccount): Promise<{ account: string; onboardingUrl: string }>

  /** Whether the account can take money yet. */
  accountReady(account: string): Promise<boolean>

  /**
   * Reads an event from the bytes that came in; null for what is signed but is no event that can be read.
   * @throws BadSignature unless the processor signed these very bytes within the last five minutes.
   */
  verifyEvent(rawBody: Buffer, signature: string): GatewayEvent | null
}
