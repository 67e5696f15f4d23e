import type Stripe from 'stripe'
import { findCustomer } from './customers.ts'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { recount, showInvoice } from './invoice-view.ts'
import { PAGE, page, within } from './lists.ts'
import { boolean, currency, expand, integer, listOf, metadata, oneOf, required, text, timeRange } from './params.ts'
import { newId, type StoredInvoice, type WireInvoiceItem } from './store.ts'
import { badParameter, noSuch, wrongState } from './stripe-fault.ts'

/** The parameters of a line in `add_lines`; the amount is in the invoice's currency. */
const LINE = {
  amount: required(integer(-99_999_999, 99_999_999)),
  description: text(500),
  discountable: boolean,
  metadata,
}
/** The most lines of one request. */
const MOST_LINES = 250

export const invoiceItemEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/invoiceitems',
    {
      customer: required(text()),
      amount: required(integer(-99_999_999, 99_999_999)),
      currency: required(currency),
      description: text(500),
      discountable: boolean,
      invoice: text(),
      metadata,
      expand: expand(),
    },
    (scope, given) => {
      const customer = findCustomer(scope, given.customer, 'customer', 400)
      const invoice = given.invoice === undefined ? null : draftFor(scope, given.invoice, customer.id, given.currency)
      const item = addItem(scope, { ...given, customer: customer.id, invoice: invoice?.id ?? null })
      if (invoice) recount(scope.book, invoice)
      return item
    },
  ),

  endpoint(
    'POST',
    '/v1/invoices/:id/add_lines',
    { lines: required(listOf(LINE, MOST_LINES)), expand: expand() },
    (scope, { lines }, id) => {
      const invoice = findDraft(scope, id)
      for (const line of lines) {
        addItem(scope, { ...line, customer: invoice.customer as string, currency: invoice.currency, invoice: id })
      }
      return changed(scope, invoice)
    },
  ),

  endpoint(
    'POST',
    '/v1/invoices/:id/remove_lines',
    {
      lines: required(listOf({ id: required(text()), behavior: required(oneOf('delete', 'unassign')) }, MOST_LINES)),
      expand: expand(),
    },
    (scope, { lines }, id) => {
      const invoice = findDraft(scope, id)
      const items = lines.map((line) => {
        const item = scope.book.items.get(line.id.replace('il_', 'ii_'))
        if (item?.invoice !== id) throw noSuch('line item', line.id, 'lines', 400)
        return { item, behavior: line.behavior }
      })
      for (const { item, behavior } of items) {
        if (behavior === 'delete') scope.book.items.delete(item.id)
        else item.invoice = null
      }
      return changed(scope, invoice)
    },
  ),

  endpoint(
    'GET',
    '/v1/invoiceitems',
    { ...PAGE, customer: text(), invoice: text(), pending: boolean, created: timeRange, expand: expand() },
    (scope, asked) => {
      const items = [...scope.book.items.values()].filter(
        (item) =>
          (asked.customer === undefined || item.customer === asked.customer) &&
          (asked.invoice === undefined || item.invoice === asked.invoice) &&
          (asked.pending === undefined || (item.invoice === null) === asked.pending) &&
          within(asked.created, item.date),
      )
      return page('/v1/invoiceitems', items, asked)
    },
  ),

  endpoint('GET', '/v1/invoiceitems/:id', { expand: expand() }, (scope, _asked, id) => findItem(scope, id)),

  endpoint('DELETE', '/v1/invoiceitems/:id', {}, (scope, _given, id) => {
    const item = findItem(scope, id)
    const invoice = item.invoice === null ? undefined : scope.book.invoices.get(item.invoice)
    if (invoice && invoice.status !== 'draft') throw notEditable()
    scope.book.items.delete(id)
    if (invoice) recount(scope.book, invoice)
    scope.emit('invoiceitem.deleted', item)
    return { id, object: 'invoiceitem', deleted: true } satisfies Stripe.DeletedInvoiceItem
  }),
]

function findItem(scope: Scope, id: string): WireInvoiceItem {
  const item = scope.book.items.get(id)
  if (!item) throw noSuch('Invoice Item', id, 'id')
  return item
}

/** Stores an invoice item: a line of a draft or, when `invoice` is null, a pending item. */
function addItem(
  scope: Scope,
  given: Pick<WireInvoiceItem, 'amount' | 'currency' | 'invoice'> & {
    customer: string
    description?: string | undefined
    discountable?: boolean | undefined
    metadata?: Stripe.Metadata | undefined
  },
): WireInvoiceItem {
  const item: WireInvoiceItem = {
    id: newId('ii'),
    object: 'invoiceitem',
    amount: given.amount,
    currency: given.currency,
    customer: given.customer,
    customer_account: null,
    date: scope.now,
    description: given.description ?? null,
    discountable: given.discountable ?? true,
    discounts: [],
    invoice: given.invoice,
    livemode: false,
    metadata: given.metadata ?? {},
    parent: null,
    period: { start: scope.now, end: scope.now },
    pricing: {
      type: 'price_details',
      price_details: { price: newId('price'), product: newId('prod') },
      unit_amount_decimal: String(given.amount),
    },
    proration: false,
    quantity: 1,
    quantity_decimal: '1',
    tax_rates: [],
    test_clock: null,
  }
  scope.book.items.set(item.id, item)
  scope.emit('invoiceitem.created', item)
  return item
}

function findDraft(scope: Scope, id: string): StoredInvoice {
  const invoice = scope.book.invoices.get(id)
  if (!invoice) throw noSuch('invoice', id, 'invoice')
  if (invoice.status !== 'draft') throw notEditable()
  return invoice
}

/** Recomputes the totals of a draft whose lines changed, records the event, and returns the invoice for the response. */
function changed(scope: Scope, invoice: StoredInvoice) {
  recount(scope.book, invoice)
  scope.emit('invoice.updated', showInvoice(scope, invoice))
  return showInvoice(scope, invoice)
}

function draftFor(scope: Scope, id: string, customer: string, currency: string): StoredInvoice {
  const invoice = scope.book.invoices.get(id)
  if (!invoice) throw noSuch('invoice', id, 'invoice', 400)
  if (invoice.status !== 'draft') throw notEditable()
  if (invoice.customer !== customer) throw badParameter('The invoice is of another customer.', 'customer')
  if (invoice.currency !== currency) {
    throw badParameter(
      `The currency of the invoice item ('${currency}') does not match the invoice's ('${invoice.currency}').`,
      'currency',
    )
  }
  return invoice
}

function notEditable() {
  return wrongState('Invalid invoice: This invoice is no longer editable', 'invoice_not_editable', 'invoice')
}
