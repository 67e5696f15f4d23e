import type Stripe from 'stripe'
import { type Book, OWN_ACCOUNT, type StoredInvoice, type WireInvoiceItem, type WireInvoiceLine } from './store.ts'

/** The most lines that an invoice contains; `/v1/invoices/:id/lines` lists all of them. */
const LINES_SHOWN = 10

export type WireInvoice = Omit<Stripe.Invoice, 'lines' | 'payments'> & {
  lines: Stripe.ApiList<WireInvoiceLine>
  payments?: Stripe.ApiList<Stripe.InvoicePayment>
}

interface Where {
  book: Book
  account: string | null
  publicUrl: string
}

/** Returns an invoice as in a response: with its first lines, and with the URLs of its page and PDF when it is finalized. */
export function showInvoice({ book, account, publicUrl }: Where, invoice: StoredInvoice): WireInvoice {
  const { id } = invoice
  const lines = linesOf(book, id)
  const page = `${publicUrl}/i/${account ?? OWN_ACCOUNT}/${book.tokens.get(id)}`
  const finalized = invoice.status !== 'draft'
  return {
    ...structuredClone(invoice),
    hosted_invoice_url: finalized ? page : null,
    invoice_pdf: finalized ? `${page}/pdf` : null,
    lines: {
      object: 'list',
      data: lines.slice(0, LINES_SHOWN),
      has_more: lines.length > LINES_SHOWN,
      url: `/v1/invoices/${id}/lines`,
    },
  }
}

/** Returns the items of an invoice, in the order they were added. */
function itemsOf(book: Book, invoice: string): WireInvoiceItem[] {
  return [...book.items.values()].filter((item) => item.invoice === invoice)
}

/** Returns the items of an invoice as lines. */
export function linesOf(book: Book, invoice: string): WireInvoiceLine[] {
  return itemsOf(book, invoice).map(lineOf)
}

function lineOf(item: WireInvoiceItem): WireInvoiceLine {
  return {
    id: item.id.replace('ii_', 'il_'),
    object: 'line_item',
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: item.discountable,
    discounts: [],
    invoice: item.invoice,
    livemode: false,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: null,
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: item.pricing,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription: null,
    subtotal: item.amount,
    taxes: [],
  }
}

/** Recomputes a draft's totals after its items changed. */
export function recount(book: Book, invoice: StoredInvoice): void {
  const total = itemsOf(book, invoice.id).reduce((sum, { amount }) => sum + amount, 0)
  const due = Math.max(0, total + invoice.starting_balance)
  Object.assign(invoice, {
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    amount_due: due,
    amount_remaining: due,
  } satisfies Partial<StoredInvoice>)
}
