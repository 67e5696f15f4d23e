import type Stripe from 'stripe'
import { findCustomer } from './customers.ts'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { finalize, markUncollectible, pay, voidOpen } from './invoice-moves.ts'
import { linesOf, recount, showInvoice, type WireInvoice } from './invoice-view.ts'
import { PAGE, page, within } from './lists.ts'
import { newDraft } from './new-draft.ts'
import { boolean, currency, expand, integer, metadata, oneOf, required, text, timeRange } from './params.ts'
import { SEARCH, search } from './search.ts'
import type { StoredInvoice } from './store.ts'
import { badParameter, noSuch, wrongState } from './stripe-fault.ts'

const DUE = { days_until_due: integer(1, 365), due_date: integer(0) }
const SHOW = expand('payments')
const SHOW_EACH = expand('data.payments')
const METHODS = oneOf('charge_automatically', 'send_invoice')
const STATUS = oneOf('draft', 'open', 'void', 'paid', 'uncollectible')

export const invoiceEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/v1/invoices',
    {
      ...DUE,
      customer: required(text()),
      auto_advance: boolean,
      collection_method: METHODS,
      currency,
      description: text(500),
      footer: text(),
      metadata,
      pending_invoice_items_behavior: oneOf('exclude', 'include'),
      expand: SHOW,
    },
    (scope, given) => {
      const customer = findCustomer(scope, given.customer, 'customer', 400)
      const invoice = newDraft(scope, customer, given)
      if (given.pending_invoice_items_behavior === 'include') sweepPending(scope, invoice)
      scope.emit('invoice.created', showInvoice(scope, invoice))
      return show(scope, invoice, given.expand)
    },
  ),

  endpoint(
    'GET',
    '/v1/invoices',
    {
      ...PAGE,
      customer: text(),
      status: STATUS,
      collection_method: METHODS,
      created: timeRange,
      due_date: timeRange,
      expand: SHOW_EACH,
    },
    (scope, asked) => {
      const invoices = [...scope.book.invoices.values()].filter(
        (invoice) =>
          (asked.customer === undefined || invoice.customer === asked.customer) &&
          (asked.status === undefined || invoice.status === asked.status) &&
          (asked.collection_method === undefined || invoice.collection_method === asked.collection_method) &&
          within(asked.created, invoice.created) &&
          within(asked.due_date, invoice.due_date),
      )
      const listed = page('/v1/invoices', invoices, asked)
      return { ...listed, data: listed.data.map((invoice) => show(scope, invoice, asked.expand)) }
    },
  ),

  endpoint('GET', '/v1/invoices/search', { ...SEARCH, expand: SHOW_EACH }, (scope, asked) => {
    const fields = ['customer', 'status', 'number', 'currency', 'total'] as const
    const found = search('/v1/invoices/search', [...scope.book.invoices.values()], fields, asked, scope.now)
    return { ...found, data: found.data.map((invoice) => show(scope, invoice, asked.expand)) }
  }),

  endpoint('GET', '/v1/invoices/:id', { expand: SHOW }, (scope, { expand }, id) =>
    show(scope, findInvoice(scope, id, 'invoice'), expand),
  ),

  endpoint('GET', '/v1/invoices/:id/lines', PAGE, (scope, asked, id) => {
    const lines = linesOf(scope.book, findInvoice(scope, id, 'invoice').id)
    return page(`/v1/invoices/${id}/lines`, lines.toReversed(), asked)
  }),

  endpoint(
    'POST',
    '/v1/invoices/:id',
    { ...DUE, auto_advance: boolean, description: text(500), footer: text(), metadata, expand: SHOW },
    (scope, given, id) => {
      const invoice = findInvoice(scope, id, 'id')
      const { metadata: pairs, expand: wanted, days_until_due, ...changes } = given
      const changed = Object.entries(changes).filter(([, value]) => value !== undefined)
      if (invoice.status !== 'draft' && (changed.length > 0 || days_until_due !== undefined)) {
        throw wrongState("Finalized invoices can't be updated in this way", undefined, changed[0]?.[0])
      }
      Object.assign(invoice, Object.fromEntries(changed))
      if (days_until_due !== undefined) invoice.due_date = invoice.created + days_until_due * 86_400
      invoice.metadata = { ...invoice.metadata, ...pairs }
      scope.emit('invoice.updated', showInvoice(scope, invoice))
      return show(scope, invoice, wanted)
    },
  ),

  endpoint('DELETE', '/v1/invoices/:id', {}, (scope, _given, id) => {
    const invoice = findInvoice(scope, id, 'invoice')
    if (invoice.status !== 'draft') throw wrongState('You can only delete draft invoices.')
    scope.book.invoices.delete(id)
    scope.emit('invoice.deleted', showInvoice(scope, invoice))
    return { id, object: 'invoice', deleted: true } satisfies Stripe.DeletedInvoice
  }),

  endpoint('POST', '/v1/invoices/:id/finalize', { auto_advance: boolean, expand: SHOW }, (scope, given, id) =>
    show(scope, finalize(scope, findInvoice(scope, id, 'id')), given.expand),
  ),

  endpoint(
    'POST',
    '/v1/invoices/:id/pay',
    { paid_out_of_band: boolean, payment_method: text(), off_session: boolean, expand: SHOW },
    (scope, given, id) => show(scope, pay(scope, findInvoice(scope, id, 'id'), given), given.expand),
  ),

  endpoint('POST', '/v1/invoices/:id/void', { expand: SHOW }, (scope, given, id) =>
    show(scope, voidOpen(scope, findInvoice(scope, id, 'id')), given.expand),
  ),

  endpoint('POST', '/v1/invoices/:id/mark_uncollectible', { expand: SHOW }, (scope, given, id) =>
    show(scope, markUncollectible(scope, findInvoice(scope, id, 'id')), given.expand),
  ),
]

/**
 * Returns the invoice. `param` is the parameter that the error names; it differs by endpoint, as at Stripe.
 * @throws StripeFault (404) when there is none
 */
function findInvoice(scope: Scope, id: string, param: string): StoredInvoice {
  const invoice = scope.book.invoices.get(id)
  if (!invoice) throw noSuch('invoice', id, param)
  return invoice
}

function show(scope: Scope, invoice: StoredInvoice, wanted: string[]): WireInvoice {
  const shown = showInvoice(scope, invoice)
  if (wanted.length === 0) return shown
  const payments = [...scope.book.payments.values()].filter((payment) => payment.invoice === invoice.id)
  return { ...shown, payments: page('/v1/invoice_payments', payments, { limit: 10 }) }
}

function sweepPending(scope: Scope, invoice: StoredInvoice): void {
  for (const item of scope.book.items.values()) {
    if (item.customer !== invoice.customer || item.invoice !== null) continue
    if (item.currency !== invoice.currency) throw badParameter('The currency of a pending item differs.', 'currency')
    item.invoice = invoice.id
  }
  recount(scope.book, invoice)
}
