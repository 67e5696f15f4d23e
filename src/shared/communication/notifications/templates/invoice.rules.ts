import { formatMoney } from '../../../platform/kernel/money.ts'
import { type Cents, ZERO } from '../../../platform/kernel/units.ts'
import { capital, compose, deadline, dueOf, type InvoiceTemplateData, nameOf } from './invoice-words.rules.ts'
import type { Message } from './message.rules.ts'
import { dayInWords, momentInWords } from './when.rules.ts'

/** A new invoice, and the balance of the payer's ledger from which it can be paid; 0 cents when none is offered. */
export interface RaisedInvoice extends InvoiceTemplateData {
  balanceCents: Cents
}

/**
 * Returns the message to the payer about a new invoice: the amount, the due date and the payment page, or that it is
 * paid already, from the ledger account for example.
 */
export function invoiceRaised(invoice: RaisedInvoice): Message {
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
    ...offerOf(invoice),
  ])
}

/** Returns the sentence that offers to pay an invoice from the payer's ledger; none when the ledger has nothing. */
function offerOf({ balanceCents, currency }: RaisedInvoice): string[] {
  if (balanceCents <= 0) return []
  return [`Your ledger has ${formatMoney(balanceCents, currency)}: you can pay from it, or ask the desk to.`]
}

/** Returns a sentence with the paid, credited and due amounts of an invoice; null when nothing is paid or credited. */
function covered(invoice: InvoiceTemplateData): string[] | null {
  const { totalCents, amountPaidCents, creditedCents, organization, currency } = invoice
  const parts = [
    ...(amountPaidCents > 0 ? [`${formatMoney(amountPaidCents, currency)} paid`] : []),
    ...(creditedCents > 0 ? [`${formatMoney(creditedCents, currency)} credited`] : []),
  ]
  if (parts.length === 0) return null
  const total = formatMoney(totalCents, currency)
  return [
    `${capital(nameOf(invoice))} from ${organization}: ${total} in total, ${parts.join(', ')}. ${dueOf(invoice)} is still due.`,
  ]
}

/** A change of an invoice that changed the amount due. Amounts are in cents. */
export type InvoiceChange =
  | { kind: 'credited'; number: number; amountCents: Cents; reason: string | null }
  | { kind: 'paid'; amountCents: Cents; method: string }
  | { kind: 'reversed'; amountCents: Cents; reason: string | null }
  | { kind: 'lines'; beforeCents: Cents; totalCents: Cents }

/** An invoice, its changes, and the amount due right after them. */
export interface ChangedInvoice extends InvoiceTemplateData {
  changes: readonly InvoiceChange[]
  dueCents: Cents
}

/**
 * Returns the message to the payer about an invoice on which another amount is due: the changes, the amount due, and
 * the payment page.
 */
export function invoiceChanged(invoice: ChangedInvoice): Message {
  const due = formatMoney(invoice.dueCents, invoice.currency)
  return compose(invoice, `${capital(nameOf(invoice))} changed: ${due} is due`, [
    ...invoice.changes.map((change) => changeInWords(change, invoice)),
    `${due} of ${nameOf(invoice)} from ${invoice.organization} is due.`,
    ...(invoice.payUrl === null ? [] : ['Please use this payment page in place of the earlier one.']),
    deadline(invoice),
  ])
}

function changeInWords(change: InvoiceChange, { currency }: InvoiceTemplateData): string {
  const money = (amount: Cents) => formatMoney(amount, currency)
  const because = (reason: string | null) => (reason ? `: ${reason}` : '.')
  if (change.kind === 'lines') {
    return `Its lines changed: the total is ${money(change.totalCents)} instead of ${money(change.beforeCents)}.`
  }
  const amount = money(change.amountCents)
  if (change.kind === 'credited') return `Credit note ${change.number} takes ${amount} off${because(change.reason)}`
  if (change.kind === 'reversed') return `A payment of ${amount} was taken back${because(change.reason)}`
  return `A payment of ${amount}${methodInWords[change.method] ?? ''} came in.`
}

const methodInWords: Readonly<Record<string, string>> = { cash: ' by cash', check: ' by check', card: ' by card' }

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

/** Returns the message to the admins about a payer who disputes a payment. */
export function invoiceDisputed(invoice: InvoiceTemplateData): Message {
  const amount = disputedOf(invoice)
  return compose({ ...invoice, payUrl: null }, `Disputed: ${nameOf(invoice)}, ${amount}`, [
    `${invoice.payer} asks the bank to give back ${amount} of ${nameOf(invoice)}.`,
    `${answerBy(invoice)} The invoice does not change until the dispute is decided.`,
  ])
}

/** Returns the message to the admins about a dispute that the school lost. */
export function disputeLost(invoice: InvoiceTemplateData): Message {
  const amount = disputedOf(invoice)
  return compose({ ...invoice, payUrl: null }, `Dispute lost: ${nameOf(invoice)}, ${amount}`, [
    `The bank gave ${amount} of ${nameOf(invoice)} back to ${invoice.payer}.`,
    'The payment is reversed; the invoice shows what is due again.',
  ])
}

/** Returns the message to the payer whose card was declined, with the page where they can pay in another way. */
export function autopayDeclined(invoice: InvoiceTemplateData): Message {
  return compose(invoice, `Your card was declined: ${nameOf(invoice)}, ${dueOf(invoice)}`, [
    `${invoice.organization} could not charge ${dueOf(invoice)} of ${nameOf(invoice)} to your card.`,
    'The charge is tried again one, three and seven days after the first time, unless you pay before.',
  ])
}

/**
 * Returns the message to the payer whose card was not charged because the payer must act: they pay on the payment page.
 */
export function autopayAsked(invoice: InvoiceTemplateData): Message {
  return compose(invoice, `Please pay: ${nameOf(invoice)}, ${dueOf(invoice)}`, [
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

function answerBy({ disputeDueAt, zone }: InvoiceTemplateData): string {
  if (disputeDueAt === null)
    return 'The payment processor gives no date for an answer. Please check there whether you can answer.'
  return `Answer it at the payment processor before ${momentInWords(disputeDueAt, zone)}.`
}

function disputedOf({ disputeCents, currency }: InvoiceTemplateData): string {
  return formatMoney(disputeCents ?? ZERO, currency)
}
