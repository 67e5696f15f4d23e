import { formatMoney } from '../../../platform/kernel/money.ts'
import { type Cents, minus, plus } from '../../../platform/kernel/units.ts'
import type { Message } from './message.rules.ts'
import { dayInWords } from './when.rules.ts'

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
  /** The amount that the payer disputes at the bank; null without a dispute. */
  disputeCents: Cents | null
  /**
   * The last instant at which the bank accepts evidence against the dispute; null when the bank accepts none or gives
   * no date.
   */
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
 * Returns the message about an invoice: the sentences, the memo, and, unless the invoice is paid, a button to its
 * payment page.
 */
export function compose(invoice: InvoiceTemplateData, title: string, sentences: string[]): Message {
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
export function nameOf({ number }: InvoiceTemplateData): string {
  return number === null ? 'an invoice' : `invoice ${number}`
}

/** Returns a name for the start of a title: without its article, and with a capital letter. */
export function capital(text: string): string {
  return text.replace(/^an? /, '').replace(/^./, (letter) => letter.toUpperCase())
}

/** Returns the amount that is due on an invoice, as text such as `$40.00`. */
export function dueOf({
  totalCents,
  creditedCents,
  amountPaidCents,
  refundedCents,
  currency,
}: InvoiceTemplateData): string {
  return formatMoney(plus(minus(minus(totalCents, creditedCents), amountPaidCents), refundedCents), currency)
}

/** Returns the sentence about the due date of an invoice. */
export function deadline({ dueAt, overdue, zone }: InvoiceTemplateData): string {
  if (dueAt === null) return 'It has no due date.'
  return `It ${overdue ? 'was' : 'is'} due on ${dayInWords(dueAt, zone)}.`
}
