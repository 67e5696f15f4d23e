import { figuresOf, type InvoiceRow, type PaymentRow } from '../../../../shared/billing/invoices/invoice.queries.ts'
import { balanceOf, owedBackOf } from '../../../../shared/billing/invoices/invoice-figures.rules.ts'
import type { Address, OrganizationDetails } from '../../../../shared/identity/organizations.tables.ts'
import { readingToNumber } from '../../../../shared/platform/kernel/hours.ts'
import { formatMoney } from '../../../../shared/platform/kernel/money.ts'
import { type Cents, minus, ZERO } from '../../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../../shared/platform/kernel/zones.ts'

/** The texts of an invoice PDF, in reading order. */
export interface InvoiceSheet {
  title: string
  /** The school's name, address, phone and email. */
  from: string[]
  /** The payer's name, email and phone. */
  to: string[]
  /** The entries in the margin: issue date, due date. */
  facts: [label: string, value: string][]
  lines: { description: string; quantity: string; price: string; amount: string }[]
  totals: [label: string, value: string][]
  /** The payments, one text each: date, amount, method, and who recorded it. */
  payments: string[]
  /** The link to pay; null when there is nothing to pay. */
  payUrl: string | null
  memo: string | null
  /** The stamp on an invoice that needs no payment; null for other invoices. */
  stamp: 'Paid' | 'Void' | null
  /** The school's country; decides the paper size. */
  country: string | null
}

export interface SchoolOnPaper {
  name: string
  details: OrganizationDetails
  zone: string
}

/** Returns the texts of an invoice PDF. Dates are local to the school's zone. */
export function invoiceSheet(invoice: InvoiceRow, school: SchoolOnPaper): InvoiceSheet {
  const { currency } = invoice
  const money = (amount: Cents) => formatMoney(amount, currency)
  const day = (instant: Date) => localDate(instant, school.zone)
  const unpaid = invoice.status === 'pending' || invoice.status === 'open'
  return {
    title: invoice.number === null ? 'Invoice' : `Invoice ${invoice.number}`,
    from: schoolLines(school),
    to: present([invoice.payer_name, invoice.payer_email, invoice.payer_phone]),
    facts: [
      ['Date', day(invoice.created_at)],
      ...(invoice.billed_for ? [['For', invoice.billed_for.name] as [string, string]] : []),
      ...(invoice.due_at ? [['Due', day(invoice.due_at)] as [string, string]] : []),
      ...(invoice.paid_at ? [['Paid', day(invoice.paid_at)] as [string, string]] : []),
      ...(invoice.voided_at ? [['Void', day(invoice.voided_at)] as [string, string]] : []),
    ],
    lines: invoice.items.map((item) => ({
      description: item.description,
      quantity: quantityOf(item),
      price: money(item.unitPrice),
      amount: money(item.amountCents),
    })),
    totals: [
      ...(invoice.taxes.length > 0 ? taxesOf(invoice, money) : []),
      ['Total', money(invoice.total_cents)],
      ...movesOf(invoice).map(([label, amount]): [string, string] => [label, money(amount)]),
      ['Amount due', money(unpaid ? balanceOf(figuresOf(invoice)) : ZERO)],
    ],
    payments: invoice.payments.map((payment) => paymentInWords(payment, money, (at) => day(new Date(at)))),
    payUrl: unpaid ? invoice.pay_url : null,
    memo: invoice.memo,
    stamp: invoice.status === 'paid' ? 'Paid' : invoice.status === 'void' ? 'Void' : null,
    country: school.details.address.country ?? null,
  }
}

/**
 * Returns the lines between the total and the amount due: total − credited − paid + refunded equals the amount due
 * minus what the school owes the payer. A void invoice has no refund lines.
 */
function movesOf(invoice: InvoiceRow): [label: string, amount: Cents][] {
  const isVoid = invoice.status === 'void'
  const moves: [string, Cents][] = [
    ['Credited', invoice.credited_cents],
    ['Paid', invoice.amount_paid_cents],
    ['Refunded', isVoid ? ZERO : invoice.refunded_cents],
    ['Paid beyond what is due', isVoid ? ZERO : owedBackOf(figuresOf(invoice))],
  ]
  return moves.filter(([, amount]) => amount > 0)
}

/** Returns a payment in words. It names the person who recorded it, because no processor saw such a payment. */
function paymentInWords(
  { amountCents, method, receivedAt, reference, recordedBy, reversedCents, reversedAt }: PaymentRow,
  money: (amount: Cents) => string,
  day: (instant: string) => string,
): string {
  const parts = [
    `${day(receivedAt)}: ${money(amountCents)} by ${method}`,
    reference,
    recordedBy && `noted by ${recordedBy.name}`,
    reversedAt && reversedCents > 0 && `${money(reversedCents)} of it reversed on ${day(reversedAt)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** Returns the subtotal, and each tax with its rate. */
function taxesOf({ total_cents, tax_cents, taxes }: InvoiceRow, money: (amount: Cents) => string): [string, string][] {
  const ofRate = taxes.map(({ name, basisPoints, taxCents }): [string, string] => {
    return [`${name} (${basisPoints / 100} %)`, money(taxCents)]
  })
  return [['Subtotal', money(minus(total_cents, tax_cents))], ...ofRate]
}

/** Returns the name, address, phone and email of a school, for the head of a document. */
export function schoolLines({ name, details }: SchoolOnPaper): string[] {
  return present([name, ...addressLines(details.address), details.phone, details.email])
}

function addressLines(address: Address): string[] {
  const { line1, line2, city, state, postalCode, country } = address
  const town = present([city, present([state, postalCode]).join(' ')]).join(', ')
  return present([line1, line2, town, country])
}

function present(texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter((text): text is string => Boolean(text))
}

/** Returns a quantity in words. `hour` gets a plural; units of lines by hand are not changed. */
function quantityOf({ quantityHundredths, unit }: InvoiceRow['items'][number]): string {
  const quantity = readingToNumber(quantityHundredths)
  return `${quantity} ${unit === 'hour' && quantity !== 1 ? 'hours' : unit}`
}
