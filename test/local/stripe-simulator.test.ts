import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  draftInvoice,
  openInvoice,
  SECRET_KEY,
  startSimulator,
  stripeClient,
  stripeFailure,
  type TestSimulator,
} from '../support/stripe-simulator.ts'

let simulator: TestSimulator
let stripe: Stripe
let clock: Date

beforeEach(async () => {
  clock = new Date('2031-03-01T12:00:00Z')
  simulator = await startSimulator({ now: () => clock })
  stripe = stripeClient(simulator)
})

afterEach(() => simulator.close())

describe('an invoice', () => {
  test('speaks the version of the API that the SDK is made for', async () => {
    const { lastResponse } = await stripe.balance.retrieve()
    expect(lastResponse.apiVersion).toBe(Stripe.API_VERSION)
    expect(lastResponse.requestId).toMatch(/^req_/)
  })

  test('is a draft without pages, then open with a number, pages and its lines in order', async () => {
    const { id } = await draftInvoice(stripe)
    const before = await stripe.invoices.retrieve(id)
    expect(before).toMatchObject({ status: 'draft', hosted_invoice_url: null, number: null, total: 12_345 })
    const after = await stripe.invoices.finalizeInvoice(id)
    expect(after).toMatchObject({
      object: 'invoice',
      status: 'open',
      currency: 'usd',
      subtotal: 12_345,
      total: 12_345,
      amount_due: 12_345,
      amount_paid: 0,
      amount_remaining: 12_345,
      collection_method: 'send_invoice',
      metadata: { organizationId: '7' },
    })
    expect(after.number).toMatch(/-0001$/)
    expect(after.due_date).toBe(Date.parse('2031-03-15T12:00:00Z') / 1000)
    expect(after.hosted_invoice_url).toContain(simulator.url)
    expect(after.lines.data.map(({ description }) => description)).toEqual(['Line of 12000', 'Line of 345'])
    expect(after.lines.data[0]?.pricing?.unit_amount_decimal?.toString()).toBe('12000')
  })

  test('shows ten lines with itself and all of them in its list', async () => {
    const invoice = await openInvoice(
      stripe,
      Array.from({ length: 12 }, (_none, index) => 100 + index),
    )
    expect(invoice.lines.data).toHaveLength(10)
    expect(invoice.lines.has_more).toBe(true)
    const lines = await stripe.invoices.listLineItems(invoice.id, { limit: 5 }).autoPagingToArray({ limit: 100 })
    expect(lines.map(({ amount }) => amount)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111])
  })

  test('of less than Stripe charges is paid at once, and owed on the next one', async () => {
    const small = await openInvoice(stripe, [49])
    expect(small).toMatchObject({ status: 'paid', total: 49, amount_due: 0, ending_balance: 49 })
    const customer = small.customer as string
    const next = await stripe.invoices.create({ customer, collection_method: 'send_invoice', days_until_due: 1 })
    await stripe.invoiceItems.create({ customer, invoice: next.id, currency: 'usd', amount: 1000 })
    expect(await stripe.invoices.finalizeInvoice(next.id)).toMatchObject({ total: 1000, amount_due: 1049 })
  })

  test('of fifty cents is open', async () => {
    expect(await openInvoice(stripe, [50])).toMatchObject({ status: 'open', amount_due: 50 })
  })

  test('takes only the moves that its state allows, in Stripe’s words', async () => {
    const unfinished = await draftInvoice(stripe)
    const voided = await openInvoice(stripe)
    const paid = await openInvoice(stripe)
    await stripe.invoices.voidInvoice(voided.id)
    await stripe.invoices.pay(paid.id, { paid_out_of_band: true })
    const messages = await Promise.all(
      [
        stripe.invoices.voidInvoice(unfinished.id),
        stripe.invoices.markUncollectible(unfinished.id),
        stripe.invoices.finalizeInvoice(voided.id),
        stripe.invoices.pay(voided.id, { paid_out_of_band: true }),
        stripe.invoices.voidInvoice(paid.id),
        stripe.invoices.pay(paid.id),
        stripe.invoices.del(paid.id),
        stripe.invoices.update(paid.id, { description: 'Other' }),
      ].map(async (call) => (await stripeFailure(call)).message),
    )
    expect(messages).toEqual([
      "You can only pass in open invoices. This invoice isn't open.",
      "You can only pass in open invoices. This invoice isn't open.",
      "This invoice is already finalized, you can't re-finalize a non-draft invoice.",
      "You can only pass in open invoices. This invoice isn't open.",
      'Invoices with `paid` payments cannot be voided.',
      'Invoice is already paid',
      'You can only delete draft invoices.',
      "Finalized invoices can't be updated in this way",
    ])
  })

  test('takes no more items once it is finalized', async () => {
    const { id, customer } = await openInvoice(stripe)
    const call = stripe.invoiceItems.create({ customer: customer as string, invoice: id, currency: 'usd', amount: 1 })
    expect(await stripeFailure(call)).toMatchObject({ statusCode: 400, code: 'invoice_not_editable' })
    const lines = stripe.invoices.addLines(id, { lines: [{ amount: 1 }] })
    expect(await stripeFailure(lines)).toMatchObject({ statusCode: 400, code: 'invoice_not_editable' })
  })

  test('takes lines in one request, all or none, and gives them up', async () => {
    const { id } = await draftInvoice(stripe)
    const lines = [
      { amount: 300, description: 'Headset', metadata: { key: 'a' } },
      { amount: -100, description: 'Discount' },
    ]
    const added = await stripe.invoices.addLines(id, { lines })
    const before = added.lines.data.length - 2
    expect(added.lines.data.slice(before)).toMatchObject([
      { amount: 300, description: 'Headset', metadata: { key: 'a' } },
      { amount: -100, description: 'Discount', metadata: {} },
    ])
    const unknown = { lines: [{ amount: 1 }, { amount: 1, price: 'price_1' }] }
    expect(await stripeFailure(stripe.invoices.addLines(id, unknown))).toMatchObject({ code: 'parameter_unknown' })
    expect((await stripe.invoices.retrieve(id)).total).toBe(added.total)
    const gone = { id: added.lines.data.at(-1)!.id, behavior: 'delete' as const }
    expect((await stripe.invoices.removeLines(id, { lines: [gone] })).total).toBe(added.total + 100)
    expect(await stripeFailure(stripe.invoices.removeLines(id, { lines: [gone] }))).toMatchObject({ statusCode: 400 })
  })

  test('marked uncollectible can still be paid, or voided', async () => {
    const { id } = await openInvoice(stripe)
    await stripe.invoices.markUncollectible(id)
    expect(await stripe.invoices.pay(id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' })
    const other = await openInvoice(stripe)
    await stripe.invoices.markUncollectible(other.id)
    expect(await stripe.invoices.voidInvoice(other.id)).toMatchObject({ status: 'void' })
  })

  test('is refunded up to what was charged, and no further', async () => {
    const { id } = await openInvoice(stripe, [5000])
    await stripe.invoices.pay(id, { payment_method: 'pm_card_visa' })
    const { data } = await stripe.invoicePayments.list({ invoice: id, status: 'paid' })
    const payment_intent = data[0]?.payment.payment_intent as string
    await stripe.refunds.create({ payment_intent, amount: 2000 })
    expect(await stripeFailure(stripe.refunds.create({ payment_intent, amount: 3001 }))).toMatchObject({
      param: 'amount',
    })
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 3000, status: 'succeeded' })
    const again = await stripeFailure(stripe.refunds.create({ payment_intent }))
    expect(again.code).toBe('charge_already_refunded')
    expect((await stripe.balance.retrieve()).available).toEqual([{ amount: 0, currency: 'usd' }])
  })

  test('paid out of band has no payment to refund', async () => {
    const { id } = await openInvoice(stripe)
    await stripe.invoices.pay(id, { paid_out_of_band: true })
    expect((await stripe.invoicePayments.list({ invoice: id, status: 'paid' })).data).toEqual([])
  })
})

describe('a wrong request', () => {
  test.each([
    ['an unknown parameter', { nonsense: '1' }, 'parameter_unknown', 'nonsense'],
    ['a missing one', {}, 'parameter_missing', 'customer'],
    ['a customer that is not there', { customer: 'cus_gone' }, 'resource_missing', 'customer'],
    [
      'days that are no number',
      { customer: 'x', days_until_due: 'soon' },
      'parameter_invalid_integer',
      'days_until_due',
    ],
  ])('with %s is 400 and names it', async (_name, params, code, param) => {
    const error = await stripeFailure(stripe.invoices.create(params as unknown as Stripe.InvoiceCreateParams))
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', code, param })
  })

  test.each([
    ['neither', {}],
    ['both', { days_until_due: 3, due_date: 2_000_000_000 }],
    ['one in the past', { due_date: 1_900_000_000 }],
  ])('for an invoice to send, with %s of the two due dates, is 400', async (_name, due) => {
    const { id } = await stripe.customers.create({})
    const call = stripe.invoices.create({ customer: id, collection_method: 'send_invoice', ...due })
    expect(await stripeFailure(call)).toMatchObject({ statusCode: 400 })
  })

  test('for what is not there is 404', async () => {
    expect(await stripeFailure(stripe.invoices.retrieve('in_gone'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such invoice: 'in_gone'",
    })
    expect(await stripeFailure(stripe.coupons.list())).toMatchObject({ statusCode: 404 })
  })

  test('with another key, or none, is 401', async () => {
    const error = await stripeFailure(stripeClient(simulator, 'sk_test_wrong').balance.retrieve())
    expect(error).toMatchObject({ statusCode: 401, message: 'Invalid API Key provided: ********rong' })
    expect((await fetch(`${simulator.url}/v1/balance`)).status).toBe(401)
  })

  test('takes the key as the user of basic authentication too', async () => {
    const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`
    expect((await fetch(`${simulator.url}/v1/balance`, { headers: { authorization } })).status).toBe(200)
  })

  test('cannot reach the prototype of anything by the names it uses', async () => {
    const authorization = `Bearer ${SECRET_KEY}`
    const body = 'name=Ana&metadata[__proto__]=x&metadata[constructor][prototype]=y'
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await fetch(`${simulator.url}/v1/customers`, { method: 'POST', headers, body })).status).toBe(400)
    expect((await fetch(`${simulator.url}/v1/customers/__proto__`, { headers: { authorization } })).status).toBe(404)
    expect((await fetch(`${simulator.url}/v1/invoices/constructor`, { headers: { authorization } })).status).toBe(404)
  })
})
