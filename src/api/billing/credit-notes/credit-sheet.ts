import type { CreditNoteRow } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import type { InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import type { Cents } from '../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { type InvoiceSheet, invoiceSheet, type SchoolOnPaper } from '../invoices/pdf/invoice-sheet.ts'

const wayInWords: Record<CreditNoteRow['refund'], string> = {
  processor: 'Refunded by the payment processor',
  ledger: 'Refunded to your account',
  offline: 'Refunded',
  none: 'Refunded',
}

/** Returns the texts of a credit note as a PDF. Dates are local to the school's zone. */
export function creditSheet(credit: CreditNoteRow, invoice: InvoiceRow, school: SchoolOnPaper): InvoiceSheet {
  const money = (amount: Cents) => formatMoney(amount, invoice.currency)
  const { from, to, title, country } = invoiceSheet(invoice, school)
  const whole = { itemId: 0, description: `Credit on ${title.toLowerCase()}`, amountCents: credit.amount_cents }
  const lines = credit.items.length > 0 ? credit.items : [whole]
  return {
    title: `Credit note ${credit.number}`,
    from,
    to,
    facts: [
      ['Date', localDate(credit.created_at, school.zone)],
      ['Credits', title],
    ],
    lines: lines.map(({ description, amountCents }) => ({
      description,
      quantity: '',
      price: '',
      amount: money(amountCents),
    })),
    totals: [
      ...(credit.tax_cents > 0 ? [['Taxes included', money(credit.tax_cents)] as [string, string]] : []),
      ['Credit', money(credit.amount_cents)],
      ...(credit.refunded_cents > 0
        ? [[wayInWords[credit.refund], money(credit.refunded_cents)] as [string, string]]
        : []),
    ],
    payments: [],
    payUrl: null,
    memo: credit.reason,
    stamp: null,
    country,
  }
}
