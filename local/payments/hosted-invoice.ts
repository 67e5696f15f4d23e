import { formatMoney } from '../../src/shared/platform/kernel/money.ts'
import { escapeHtml } from '../../src/shared/platform/kernel/text.ts'
import { cents } from '../../src/shared/platform/kernel/units.ts'
import { linesOf } from './invoice-view.ts'
import { renderPage } from './page-layout.ts'
import type { Book, StoredInvoice } from './store.ts'

const MARKS: Record<string, [string, string]> = {
  open: ['', 'Open'],
  paid: ['good', 'Paid'],
  void: ['bad', 'Void'],
  uncollectible: ['bad', 'Uncollectible'],
}

/** Returns the payer's page of an invoice as HTML. `declined`: the previous attempt to pay failed. */
export function renderInvoice(book: Book, invoice: StoredInvoice, pdfUrl: string, declined: boolean): string {
  const { currency } = invoice
  const [tone = '', mark = ''] = MARKS[invoice.status ?? ''] ?? []
  const rows = linesOf(book, invoice.id).map(
    ({ description, amount }) =>
      `<tr><td>${escapeHtml(description ?? '')}</td><td>${formatMoney(cents(amount), currency)}</td></tr>`,
  )
  const balance = invoice.starting_balance
  const before = balance ? `<tr><td>Balance before</td><td>${formatMoney(cents(balance), currency)}</td></tr>` : ''
  const due = isPayable(invoice) && invoice.due_date ? `<p class="quiet">Due ${day(invoice.due_date)}</p>` : ''
  return renderPage(
    `Invoice ${invoice.number}`,
    `<h1>Invoice ${escapeHtml(invoice.number ?? '')} <span class="mark ${tone}">${mark}</span></h1>
<p class="quiet">For ${escapeHtml(invoice.customer_name ?? invoice.customer_email ?? 'the payer')}</p>
<p class="total">${formatMoney(cents(invoice.amount_due), currency)}</p>
${due}
${invoice.description ? `<p>${escapeHtml(invoice.description)}</p>` : ''}
<table><tbody>${rows.join('')}${before}</tbody>
<tfoot><tr><td>Total</td><td>${formatMoney(cents(invoice.total), currency)}</td></tr></tfoot></table>
${declined ? '<p class="bad" role="alert">The card was declined. Nothing was paid.</p>' : ''}
${isPayable(invoice) ? payForm(formatMoney(cents(invoice.amount_remaining), currency)) : ''}
<p class="quiet">A simulated payment page: no money moves. <a href="${escapeHtml(pdfUrl)}">Invoice as PDF</a></p>`,
  )
}

/** Whether the payer can still pay. */
export function isPayable({ status }: StoredInvoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

function payForm(amount: string): string {
  return `<form method="post"><button>Pay ${amount}</button>
<button name="card" value="declined">Try a card that is declined</button></form>`
}

/** Returns a date in UTC for the page and the PDF. */
export function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
