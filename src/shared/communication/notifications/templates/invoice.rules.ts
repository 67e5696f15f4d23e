import { formatMoney } from '../../../platform/kernel/money.ts'
import { type Cents, minus, plus, ZERO } from '../../../platform/kernel/units.ts'
import type { Message } from './message.rules.ts'
import { dayInWords, momentInWords } from './when.rules.ts'

/** The facts of an invoice for its messages. Money is cents of `currency`; the due date is a day in `zone`. */
export interface InvoiceTemplateData {
  id: number
  number: number | null
  organization: string
  payer: string
  totalCents: Cents
  creditedCents: Cents
  amountPaidCents: Cents
  refundedCents: Cents
  /** What the payer disputes at the bank; null without a dispute. */
  disputeCents: Cents | null
  /** The last instant for evidence against it; null when the bank takes none. */
  disputeDueAt: Date | null
  currency: string
  dueAt: Date | null
  overdue: boolean
  zone: string
  paid: boolean
  memo: string | null
  payUrl: string | null
  reservationId: number | null
}

/**
 * Returns the message to the payer about a new invoice: the amount, the due date and where to pay, or that the ledger
 * account has paid it.
 */
export function invoiceRaised(invoice: InvoiceTemplateData): Message {
  const { organization } = invoice
  if (invoice.paid) {
    const total = formatMoney(invoice.totalCents, invoice.currency)
    return compose(invoice, `${capital(nameOf(invoice))}: ${total}`, [
      `${organization} charged you ${total}. It is paid; there is nothing left to do.`,
    ])
  }
  return compose(invoice, `${capital(nameOf(invoice))}: ${dueOf(invoice)}`, [
    ...(covered(invoice) ?? [`${organization} sent you ${nameOf(invoice)} for ${dueOf(invoice)}.`]),
    deadline(invoice),
  ])
}

/** Returns how much of an invoice is paid or credited, and what is left; null when nothing is. */
function covered(invoice: InvoiceTemplateData): string[] | null {
  const { totalCents, amountPaidCents, creditedCents, organization, currency } = invoice
  const parts = [
    ...(amountPaidCents > 0 ? [`${formatMoney(amountPaidCents, currency)} is paid`] : []),
    ...(creditedCents > 0 ? [`${formatMoney(creditedCents, currency)} is credited`] : []),
  ]
  if (parts.length === 0) return null
  const total = formatMoney(totalCents, currency)
  return [
    `Of ${nameOf(invoice)} from ${organization} for ${total}, ${parts.join(' and ')}. ${dueOf(invoice)} is still due.`,
  ]
}

/** What changed of an invoice, of which another amount is due now. Amounts are cents. */
export type InvoiceChange =
  | { kind: 'credited'; number: number; amountCents: Cents; reason: string | null }
  | { kind: 'paid'; amountCents: Cents; method: string }
  | { kind: 'reversed'; amountCents: Cents; reason: string | null }
  | { kind: 'lines'; beforeCents: Cents; totalCents: Cents }

/** An invoice, what changed of it, and what was due of it right after that. */
export interface ChangedInvoice extends InvoiceTemplateData {
  changes: readonly InvoiceChange[]
  dueCents: Cents
}

/** Returns the message to the payer of an invoice that asks for another amount: what changed, what is due, and where to pay. */
export function invoiceChanged(invoice: ChangedInvoice): Message {
  const due = formatMoney(invoice.dueCents, invoice.currency)
  return compose(invoice, `${capital(nameOf(invoice))} changed: ${due} is due`, [
    ...invoice.changes.map((change) => changeInWords(change, invoice)),
    `${due} of ${nameOf(invoice)} from ${invoice.organization} is due.`,
    ...(invoice.payUrl === null ? [] : ['This takes the place of the page for the payment that you had before.']),
    deadline(invoice),
  ])
}

function changeInWords(change: InvoiceChange, { currency }: InvoiceTemplateData): string {
  const money = (amount: Cents) => formatMoney(amount, currency)
  const because = (reason: string | null) => (reason ? `: ${reason}` : '.')
  if (change.kind === 'lines') {
    return `Its lines changed: it comes to ${money(change.totalCents)} instead of ${money(change.beforeCents)}.`
  }
  const amount = money(change.amountCents)
  if (change.kind === 'credited') return `Credit note ${change.number} takes ${amount} off${because(change.reason)}`
  if (change.kind === 'reversed') return `A payment of ${amount} was taken back${because(change.reason)}`
  return `A payment of ${amount}${methodInWords[change.method] ?? ''} came in.`
}

const methodInWords: Readonly<Record<string, string>> = { cash: ' by cash', check: ' by check', card: ' by card' }

/** Money of a payment that was more than was due, in cents. */
export interface ReturnedPayment extends InvoiceTemplateData {
  returnedCents: Cents
}

/** Returns the message to the payer of an invoice who paid more than was due of it: what goes back. */
export function paymentReturned(invoice: ReturnedPayment): Message {
  const returned = formatMoney(invoice.returnedCents, invoice.currency)
  return compose({ ...invoice, memo: null, payUrl: null }, `Refund on ${nameOf(invoice)}: ${returned}`, [
    `You paid ${returned} more than was due of ${nameOf(invoice)} from ${invoice.organization}.`,
    `${returned} ${wayInWords.processor}`,
  ])
}

/** Returns the message to the admins about a paid invoice. */
export function invoicePaid(invoice: InvoiceTemplateData): Message {
  const total = formatMoney(invoice.totalCents, invoice.currency)
  return compose(invoice, `${capital(nameOf(invoice))} is paid: ${total}`, [
    `${invoice.payer} paid ${nameOf(invoice)} of ${total}.`,
  ])
}

/** Returns the message that reminds the payer of the amount that is still due. */
export function invoiceReminder(invoice: InvoiceTemplateData): Message {
  return compose(invoice, `Reminder: ${nameOf(invoice)}, ${dueOf(invoice)}`, [
    `${dueOf(invoice)} of ${nameOf(invoice)} from ${invoice.organization} is still open.`,
    deadline(invoice),
  ])
}

/** A credit note of an invoice, and what the payer has with the school on that invoice after it. */
export interface CreditTemplateData extends InvoiceTemplateData {
  credit: {
    number: number
    amountCents: Cents
    refund: 'processor' | 'ledger' | 'offline' | 'none'
    /** What is given back, in cents. */
    refundCents: Cents
    /** False while a second admin has yet to approve the refund. */
    approved: boolean
    /** Whether the refund was asked for after the credit note was made. */
    later: boolean
    reason: string
  }
  /** Whether something is still due on the invoice. */
  unpaid: boolean
  /** What the school owes the payer of the invoice and has not given back, in cents. */
  owedBackCents: Cents
}

/**
 * Returns the message to the payer about a credit note, or about its refund when that was asked for later: what is credited
 * and why, and where the money is.
 */
export function invoiceCredited(invoice: CreditTemplateData): Message {
  const { credit, organization, currency } = invoice
  if (credit.later) {
    const refund = formatMoney(credit.refundCents, currency)
    return compose({ ...invoice, memo: null, payUrl: null }, `Refund on ${nameOf(invoice)}: ${refund}`, [
      `${organization} refunds credit note ${credit.number} of ${nameOf(invoice)}.`,
      ...moneyBack(invoice),
    ])
  }
  const amount = formatMoney(credit.amountCents, currency)
  return compose({ ...invoice, memo: credit.reason, payUrl: null }, `Credit on ${nameOf(invoice)}: ${amount}`, [
    `${organization} credited ${amount} of ${nameOf(invoice)} with credit note ${credit.number}.`,
    ...moneyBack(invoice),
    ...(invoice.unpaid ? [`${dueOf(invoice)} of ${nameOf(invoice)} is still due.`] : []),
  ])
}

function moneyBack({ credit, owedBackCents, currency }: CreditTemplateData): string[] {
  const refunded = formatMoney(credit.refundCents, currency)
  if (credit.refundCents === 0) {
    return owedBackCents > 0 ? [`${formatMoney(owedBackCents, currency)} that you paid is kept for you.`] : []
  }
  if (!credit.approved) return [`${refunded} is to go back to you when a second person at the school has agreed.`]
  return [`${refunded} ${wayInWords[credit.refund]}`]
}

const wayInWords: Readonly<Record<CreditTemplateData['credit']['refund'], string>> = {
  processor: 'goes back the way you paid. It may take the bank some days.',
  offline: 'was given back to you at the school.',
  ledger: 'was put on your account with the school.',
  none: 'is kept for you.',
}

/** Returns the message to the admins about a payer who disputes a payment. */
export function invoiceDisputed(invoice: InvoiceTemplateData): Message {
  const amount = disputedOf(invoice)
  return compose({ ...invoice, payUrl: null }, `Disputed: ${nameOf(invoice)}, ${amount}`, [
    `${invoice.payer} asks the bank to give back ${amount} of ${nameOf(invoice)}.`,
    `${answerBy(invoice)} No figure changes until it is decided.`,
  ])
}

/** Returns the message to the admins about a dispute that the school lost. */
export function disputeLost(invoice: InvoiceTemplateData): Message {
  const amount = disputedOf(invoice)
  return compose({ ...invoice, payUrl: null }, `Dispute lost: ${nameOf(invoice)}, ${amount}`, [
    `The bank gave ${amount} of ${nameOf(invoice)} back to ${invoice.payer}.`,
    'That payment is reversed; the invoice says what is due again.',
  ])
}

/** Returns the message to the payer whose card was declined, with the page where they pay another way. */
export function autopayDeclined(invoice: InvoiceTemplateData): Message {
  return compose(invoice, `Your card was declined: ${nameOf(invoice)}, ${dueOf(invoice)}`, [
    `${invoice.organization} could not charge ${dueOf(invoice)} of ${nameOf(invoice)} to your card.`,
    'It is tried again one, three and seven days after the first time, unless you pay before.',
  ])
}

/** Returns the message to the payer whom autopay could not charge without them: they pay on the page. */
export function autopayAsked(invoice: InvoiceTemplateData): Message {
  return compose(invoice, `Please pay yourself: ${nameOf(invoice)}, ${dueOf(invoice)}`, [
    `${dueOf(invoice)} of ${nameOf(invoice)} from ${invoice.organization} was not charged to your card: your bank wants you ` +
      'to confirm it, it is above your limit, or there is no card that may be charged.',
    deadline(invoice),
  ])
}

/** A flight that could not be invoiced, and why. */
export interface NotInvoiced {
  id: number
  title: string
  start: Date
  zone: string
  reason: string | null
}

/** Returns the message to the admins about a flight that could not be invoiced. */
export function invoiceFailed({ id, title, start, zone, reason }: NotInvoiced): Message {
  const sentences = [
    `${title} of ${dayInWords(start, zone)} could not be invoiced.`,
    ...(reason === null ? [] : [reason]),
  ]
  return {
    title: `Not invoiced: ${title}`,
    body: sentences.join(' '),
    data: { reservationId: id },
    mail: { paragraphs: sentences, action: null },
  }
}

function compose(invoice: InvoiceTemplateData, title: string, sentences: string[]): Message {
  const { id, reservationId, memo, paid, payUrl } = invoice
  return {
    title,
    body: sentences.join(' '),
    data: { invoiceId: id, ...(reservationId !== null && { reservationId }) },
    mail: {
      paragraphs: memo ? [...sentences, memo] : sentences,
      action: paid || payUrl === null ? null : { label: 'View and pay', url: payUrl },
    },
  }
}

/** Returns the name of an invoice in a text. Only an issued invoice has a number. */
function nameOf({ number }: InvoiceTemplateData): string {
  return number === null ? 'an invoice' : `invoice ${number}`
}

function answerBy({ disputeDueAt, zone }: InvoiceTemplateData): string {
  if (disputeDueAt === null)
    return 'The payment processor names no date for an answer: look there whether it takes one.'
  return `Answer it at the payment processor before ${momentInWords(disputeDueAt, zone)}.`
}

function disputedOf({ disputeCents, currency }: InvoiceTemplateData): string {
  return formatMoney(disputeCents ?? ZERO, currency)
}

function capital(text: string): string {
  return text.replace(/^an? /, '').replace(/^./, (letter) => letter.toUpperCase())
}

function dueOf({ totalCents, creditedCents, amountPaidCents, refundedCents, currency }: InvoiceTemplateData): string {
  return formatMoney(plus(minus(minus(totalCents, creditedCents), amountPaidCents), refundedCents), currency)
}

function deadline({ dueAt, overdue, zone }: InvoiceTemplateData): string {
  if (dueAt === null) return 'It has no due date.'
  return `It ${overdue ? 'was' : 'is'} due on ${dayInWords(dueAt, zone)}.`
}
