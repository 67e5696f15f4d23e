import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildStripeSimulator } from '../../local/payments/stripe-simulator.ts'
import { PortTaken } from '../../local/servers/ports.ts'
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

const later = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000)
}

describe('an idempotency key', () => {
  const key = { idempotencyKey: 'inv_7_41:invoice' }

  test('gives the first answer again, to the letter', async () => {
    const first = await stripe.customers.create({ name: 'Ana' }, key)
    await stripe.customers.update(first.id, { name: 'Ana Ruiz' })
    const second = await stripe.customers.create({ name: 'Ana' }, key)
    expect(second).toMatchObject({ id: first.id, name: 'Ana' })
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  })

  test('is refused with other parameters, and at another endpoint', async () => {
    await stripe.customers.create({ name: 'Ana' }, key)
    for (const call of [stripe.customers.create({ name: 'Ben' }, key), stripe.refunds.create({ charge: 'c' }, key)]) {
      expect(await stripeFailure(call)).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
    }
  })

  test('is refused while the first request is at work, and answers it afterwards', async () => {
    await simulator.fault({ match: 'POST /v1/customers', kind: 'hang' })
    const first = stripe.customers.create({ name: 'Ana' }, key)
    await simulator.met()
    const error = await stripeFailure(stripe.customers.create({ name: 'Ana' }, key))
    expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    await simulator.clearFaults()
    const { id } = await first
    expect((await stripe.customers.create({ name: 'Ana' }, key)).id).toBe(id)
  })

  test.each(['500', '402'] as const)('keeps a %s, though nothing was made', async (kind) => {
    await simulator.fault({ match: 'POST /v1/customers', kind })
    for (const _try of [1, 2]) {
      const error = await stripeFailure(stripe.customers.create({ name: 'Ana' }, key))
      expect(error.statusCode).toBe(Number(kind))
    }
    expect((await simulator.everything()).customers).toEqual([])
  })

  test('forgets what was refused before the work began', async () => {
    await stripeFailure(stripe.customers.create({ email: 'nonsense' }, key))
    await simulator.fault({ match: 'POST /v1/customers', kind: '429', retryAfterSeconds: 3 })
    const busy = await stripeFailure(stripe.customers.create({ name: 'Ana' }, key))
    expect(busy).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3' } })
    expect(await stripe.customers.create({ name: 'Ana' }, key)).toMatchObject({ name: 'Ana' })
  })

  test('is forgotten after a day', async () => {
    const first = await stripe.customers.create({ name: 'Ana' }, key)
    later(24 * 3600 - 1)
    expect((await stripe.customers.create({ name: 'Ana' }, key)).id).toBe(first.id)
    later(1)
    expect((await stripe.customers.create({ name: 'Ana' }, key)).id).not.toBe(first.id)
  })

  test('counts in one account only', async () => {
    const account = await stripe.accounts.create({ type: 'standard' })
    const ours = await stripe.customers.create({ name: 'Ana' }, key)
    const theirs = await stripe.customers.create({ name: 'Ana' }, { ...key, stripeAccount: account.id })
    expect(theirs.id).not.toBe(ours.id)
  })
})

describe('a connected account', () => {
  test('has books of its own', async () => {
    const { id: stripeAccount } = await stripe.accounts.create({ type: 'standard', email: 'desk@skyway.example' })
    const customer = await stripe.customers.create({ name: 'Ana' }, { stripeAccount })
    expect((await stripe.customers.retrieve(customer.id, {}, { stripeAccount })).id).toBe(customer.id)
    expect(await stripeFailure(stripe.customers.retrieve(customer.id))).toMatchObject({ statusCode: 404 })
  })

  test('that is not connected is 403', async () => {
    const call = stripe.customers.list({}, { stripeAccount: 'acct_stranger' })
    expect(await stripeFailure(call)).toMatchObject({ statusCode: 403, code: 'account_invalid' })
  })

  test('can be charged through once the school has filled in its page', async () => {
    const { id, charges_enabled } = await stripe.accounts.create({ type: 'standard', email: 'desk@skyway.example' })
    expect(charges_enabled).toBe(false)
    const { url } = await stripe.accountLinks.create({
      account: id,
      type: 'account_onboarding',
      return_url: 'https://flightline.example/done',
      refresh_url: 'https://flightline.example/again',
    })
    expect(await (await fetch(url)).text()).toContain('desk@skyway.example')
    const done = await fetch(url, { method: 'POST', redirect: 'manual' })
    expect([done.status, done.headers.get('location')]).toEqual([303, 'https://flightline.example/done'])
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ charges_enabled: true })
  })
})

describe('a list', () => {
  test('is newest first, cut, and continued after the last row', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await stripe.customers.create({ name })).id)
    const first = await stripe.customers.list({ limit: 2 })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[4], ids[3]], true])
    const all = await stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed())
    const before = await stripe.customers.list({ limit: 2, ending_before: ids[1] })
    expect(before.data.map(({ id }) => id)).toEqual([ids[3], ids[2]])
    expect(await stripeFailure(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
  })

  test('of invoices is narrowed by customer, status and time', async () => {
    const first = await openInvoice(stripe)
    later(100)
    const second = await draftInvoice(stripe)
    const ids = async (params: Stripe.InvoiceListParams) =>
      (await stripe.invoices.list(params)).data.map(({ id }) => id)
    expect(await ids({ status: 'open' })).toEqual([first.id])
    expect(await ids({ customer: second.customer as string })).toEqual([second.id])
    expect(await ids({ created: { gt: first.created } })).toEqual([second.id])
    expect(await ids({ created: { lte: first.created } })).toEqual([first.id])
  })

  test('of events is narrowed by types, as many as Stripe takes, and goes back thirty days', async () => {
    await draftInvoice(stripe)
    later(30 * 86_400)
    const { id } = await openInvoice(stripe)
    await stripe.invoices.pay(id, { paid_out_of_band: true })
    const typesOf = async (asked: Stripe.EventListParams) =>
      (await stripe.events.list(asked)).data.map(({ type }) => type)
    expect(await typesOf({ types: ['invoice.paid', 'customer.created'] })).toEqual([
      'invoice.paid',
      'customer.created',
      'customer.created',
    ])
    later(1)
    expect(await typesOf({ types: ['invoice.paid', 'customer.*'] })).toEqual(['invoice.paid', 'customer.created'])
    for (const asked of [
      { type: 'invoice.paid', types: ['invoice.paid'] },
      { types: Array.from({ length: 21 }, () => 'invoice.paid') },
    ]) {
      expect((await stripeFailure(stripe.events.list(asked))).statusCode).toBe(400)
    }
  })

  test('by search finds what is a minute old', async () => {
    const { id } = await stripe.customers.create({ metadata: { key: "o'hare" } })
    const found = async () => (await stripe.customers.search({ query: "metadata['key']:'o\\'hare'" })).data
    later(59)
    expect(await found()).toEqual([])
    later(1)
    expect((await found()).map((customer) => customer.id)).toEqual([id])
    expect(await stripeFailure(stripe.customers.search({ query: 'nonsense' }))).toMatchObject({ statusCode: 400 })
  })
})

describe('a fault', () => {
  test('meets only the customer it names, as often as it says', async () => {
    const customerEmail = 'ben@skyway.example'
    await simulator.fault({ match: 'POST /v1/invoices/:id/finalize', kind: '402', times: 1, customerEmail })
    await expect(openInvoice(stripe)).resolves.toMatchObject({ status: 'open' })
    const customer = await stripe.customers.create({ email: customerEmail })
    const bens = await stripe.invoices.create({ customer: customer.id })
    expect(await stripeFailure(stripe.invoices.finalizeInvoice(bens.id))).toMatchObject({ code: 'card_declined' })
    await expect(stripe.invoices.finalizeInvoice(bens.id)).resolves.toMatchObject({ status: 'paid' })
  })

  test('that cuts after the work leaves the work done; before it, not', async () => {
    const key = { idempotencyKey: 'a' }
    await simulator.fault({ match: 'POST /v1/customers', kind: 'cut_before_work', times: 2 })
    expect(await stripeFailure(stripe.customers.create({}, key))).toBeInstanceOf(Stripe.errors.StripeConnectionError)
    expect((await simulator.everything()).customers).toHaveLength(0)
    await simulator.fault({ match: 'POST /v1/customers', kind: 'cut_after_work', times: 2 })
    expect(await stripeFailure(stripe.customers.create({}, key))).toBeInstanceOf(Stripe.errors.StripeConnectionError)
    expect((await simulator.everything()).customers).toHaveLength(1)
  })

  test('that hangs does so until it is cleared, and then the work is done', async () => {
    await simulator.fault({ match: 'POST /v1/customers', kind: 'hang', seconds: 3_600 })
    const slow = stripe.customers.create({ name: 'Ana' })
    await simulator.met()
    expect((await simulator.everything()).customers).toEqual([])
    await simulator.clearFaults()
    expect((await slow).name).toBe('Ana')
  })

  test('of a kind that there is not is refused', async () => {
    await expect(simulator.fault({ match: '*', kind: 'sulk' as '500' })).rejects.toThrow('400')
  })
})

test('answers without listening, for those who have the app in hand', async () => {
  const app = buildStripeSimulator({ secretKey: SECRET_KEY, webhookSecret: 'whsec_other', webhookUrl: null })
  const headers = { authorization: `Bearer ${SECRET_KEY}` }
  const answer = await app.inject({ url: '/v1/balance', headers })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { object: 'balance', available: [] }])
  await app.close()
})

test('a port that is taken is named, with the variable that moves it', async () => {
  const taken = startSimulator({ port: simulator.port } as object)
  await expect(taken).rejects.toThrow(PortTaken)
  await expect(taken).rejects.toThrow(`Port ${simulator.port} is already taken: set STRIPE_SIMULATOR_PORT`)
})
