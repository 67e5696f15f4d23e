import type Stripe from 'stripe'
import { type Endpoint, endpoint, type Scope } from './endpoint.ts'
import { PAGE, page, within } from './lists.ts'
import { email, expand, integer, metadata, type Param, readParams, text, timeRange } from './params.ts'
import { SEARCH, search } from './search.ts'
import { newId } from './store.ts'
import { badParameter, noSuch } from './stripe-fault.ts'

const FIELDS = { name: text(256), email, phone: text(20), description: text(), metadata, expand: expand() }

const INVOICE_SETTINGS: Param<{ default_payment_method: string | undefined } | undefined> = (value, name) => {
  if (value === undefined) return undefined
  if (typeof value === 'string') throw badParameter(`Invalid object: ${name}`, name)
  return readParams({ default_payment_method: text() }, value)
}

export const customerEndpoints: Endpoint[] = [
  endpoint('POST', '/v1/customers', { ...FIELDS, balance: integer() }, (scope, given) => {
    const id = newId('cus')
    const customer: Stripe.Customer = {
      id,
      object: 'customer',
      address: null,
      balance: given.balance ?? 0,
      created: scope.now,
      currency: null,
      default_source: null,
      delinquent: false,
      description: given.description ?? null,
      discount: null,
      email: given.email ?? null,
      invoice_prefix: id.slice(-8).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: given.metadata ?? {},
      name: given.name ?? null,
      next_invoice_sequence: 1,
      phone: given.phone ?? null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    }
    scope.book.customers.set(id, customer)
    scope.emit('customer.created', customer)
    return customer
  }),

  endpoint('GET', '/v1/customers', { ...PAGE, email: text(), created: timeRange, expand: expand() }, (scope, asked) => {
    const customers = [...scope.book.customers.values()].filter(
      (customer) =>
        (asked.email === undefined || customer.email === asked.email) && within(asked.created, customer.created),
    )
    return page('/v1/customers', customers, asked)
  }),

  endpoint('GET', '/v1/customers/search', { ...SEARCH, expand: expand() }, (scope, asked) =>
    search('/v1/customers/search', [...scope.book.customers.values()], ['email', 'name', 'phone'], asked, scope.now),
  ),

  endpoint('GET', '/v1/customers/:id', { expand: expand() }, (scope, _asked, id) => findCustomer(scope, id, 'id', 404)),

  endpoint('POST', '/v1/customers/:id', { ...FIELDS, invoice_settings: INVOICE_SETTINGS }, (scope, given, id) => {
    const customer = findCustomer(scope, id, 'customer', 404)
    const { metadata: pairs, expand: _expand, invoice_settings, ...fields } = given
    if (invoice_settings) {
      const method = invoice_settings.default_payment_method ?? null
      if (method !== null && scope.book.cards.get(method)?.customer !== id) {
        throw noSuch('PaymentMethod', method, 'invoice_settings[default_payment_method]', 400)
      }
      customer.invoice_settings.default_payment_method = method
    }
    Object.assign(customer, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))
    Object.assign(customer.metadata, pairs)
    scope.emit('customer.updated', customer)
    return customer
  }),
]

/**
 * Returns the customer.
 * @throws StripeFault when there is none, with `status`: 404 for an id in the path, 400 for an id in a parameter
 */
export function findCustomer(scope: Scope, id: string, param: string, status: 400 | 404): Stripe.Customer {
  const customer = scope.book.customers.get(id)
  if (!customer) throw noSuch('customer', id, param, status)
  return customer
}
