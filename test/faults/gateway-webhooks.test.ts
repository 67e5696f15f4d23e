import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { eventually } from '../support/eventually.ts'
import { expectOk, type FlownFlight, flownBy } from '../support/flights.ts'
import { eventOf, forged, sendEvent } from '../support/gateway-events.ts'
import { expectSameFigures } from '../support/reconcile.ts'

interface Billed {
  id: number
  status: string
  paid: boolean
  payUrl: string
  processor: { invoiceId: string }
}

describe('events of the processor', () => {
  let env: BillingEnv
  let day = 0
  beforeAll(async () => {
    env = await startBilling('postgres')
  })
  afterAll(() => env.close())

  async function billed(): Promise<Billed> {
    const flight: FlownFlight = await flownBy(env.api, env.school, day++)
    const [invoice] = await expectOk<Billed[]>(env.api, env.school.admin, 'POST', `/reservations/${flight.id}/invoices`)
    return invoice!
  }

  const look = ({ id }: Billed) => expectOk<Billed>(env.api, env.school.admin, 'GET', `/invoices/${id}`)
  const pay = ({ payUrl }: Billed) => fetch(payUrl, { method: 'POST', redirect: 'manual' })

  const told = (invoice: Billed, type: string) => eventOf(env.simulator, invoice.processor.invoiceId, type)
  const send = (body: string, signature = {}) => sendEvent(env.api, body, signature)

  test('that are unsigned, wrongly signed, old, of the future, or written out anew are refused and do nothing', async () => {
    const invoice = await billed()
    await env.simulator.hold()
    await pay(invoice)
    const pretty = JSON.stringify(await told(invoice, 'invoice.paid'), null, 2)
    const compact = JSON.stringify(JSON.parse(pretty))
    const answers = [
      await send(pretty, { secret: 'whsec_another' }),
      await send(pretty, { at: Math.floor(Date.now() / 1000) - 301 }),
      await send(pretty, { at: Math.floor(Date.now() / 1000) + 320 }),
      await send(forged(await told(invoice, 'invoice.paid'), { created: Math.floor(Date.now() / 1000) + 320 })),
      await send(compact, { over: pretty }),
      await env.api.call('POST', '/webhooks/stripe', { body: JSON.parse(pretty) }),
      await env.api.app.inject({
        method: 'POST',
        url: '/webhooks/stripe',
        headers: { 'stripe-signature': 't=1,v1=' },
      }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400, 400])
    expect(answers[0]?.json()).toEqual({ message: 'The signature does not match.' })
    expect(await look(invoice)).toMatchObject({ status: 'open' })
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'open' })
    expect((await send(pretty)).json()).toEqual({ received: true })
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'paid' })
    await env.simulator.release('oldest_first')
  })

  test('that come twice act once', async () => {
    const invoice = await billed()
    await pay(invoice)
    await eventually(
      () => look(invoice),
      ({ paid }) => paid,
    )
    const { id } = await told(invoice, 'invoice.paid')
    for (let time = 0; time < 3; time++) await env.simulator.resend(id)
    const sent = async () => (await env.simulator.everything()).deliveries.filter(({ event }) => event === id)
    await eventually(sent, (deliveries) => deliveries.length === 4)
    expect((await sent()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await env.workers.settled()
    expect(await timesNotified(invoice)).toBe(1)
  })

  test('that come in the wrong order end where the processor is', async () => {
    const invoice = await billed()
    await env.simulator.hold()
    await fetch(invoice.payUrl, { method: 'POST', body: new URLSearchParams({ card: 'declined' }), redirect: 'manual' })
    await pay(invoice)
    await env.simulator.release('newest_first')
    expect(
      await eventually(
        () => look(invoice),
        ({ paid }) => paid,
      ),
    ).toMatchObject({ status: 'paid' })
    expect(
      (await send(forged(await told(invoice, 'invoice.paid'), { type: 'invoice.voided' }, { status: 'void' })))
        .statusCode,
    ).toBe(200)
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'paid', voided: false })
    await expectSameFigures(env)
  })

  test('of a payment and a voiding at one moment end paid, since money that came in counts', async () => {
    const invoice = await billed()
    await env.simulator.hold()
    await pay(invoice)
    const paid = await told(invoice, 'invoice.paid')
    await Promise.all([
      ...Array.from({ length: 5 }, () => send(forged(paid, {}))),
      ...Array.from({ length: 5 }, () => send(forged(paid, { type: 'invoice.voided' }, { status: 'void' }))),
    ])
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'paid', amountPaidCents: 33_600 })
    await env.simulator.release('oldest_first')
    await env.workers.settled()
    expect(await timesNotified(invoice)).toBe(1)
  })

  test('about invoices that are not ours are taken and forgotten', async () => {
    const invoice = await billed()
    await pay(invoice)
    const paid = await told(invoice, 'invoice.paid')
    const strange = [
      forged(paid, {}, { id: 'in_unknown', metadata: {} }),
      forged(
        paid,
        {},
        { id: 'in_unknown', metadata: { flightlineKey: 'x', organizationId: '999999', invoiceId: '1' } },
      ),
      forged(paid, { type: 'customer.created' }),
      forged(paid, {}, { id: null }),
    ]
    for (const body of strange) expect((await send(body)).statusCode).toBe(200)
    await env.workers.settled()
  })

  test('of another account, or of another invoice there, that claim to be about ours are ignored', async () => {
    const [paidOne, open] = [await billed(), await billed()]
    await pay(paidOne)
    const paid = await told(paidOne, 'invoice.paid')
    const { metadata } = (await told(open, 'invoice.finalized')).data.object as Stripe.Invoice
    for (const body of [
      forged(paid, { account: 'acct_other' }, { id: 'in_theirs', metadata }),
      forged(paid, { account: 'acct_other' }, { id: open.processor.invoiceId, metadata }),
      forged(paid, {}, { id: 'in_copied', metadata }),
    ]) {
      expect((await send(body)).statusCode).toBe(200)
    }
    await env.workers.settled()
    expect(await look(open)).toMatchObject({ status: 'open', processor: { invoiceId: open.processor.invoiceId } })
  })

  test('that are signed and odd are taken, and do nothing', async () => {
    const invoice = await billed()
    await env.simulator.hold()
    await pay(invoice)
    const paid = await told(invoice, 'invoice.paid')
    const { created: _, ...timeless } = JSON.parse(forged(paid, {}))
    const odd = [
      'no JSON',
      '[]',
      'null',
      JSON.stringify(timeless),
      forged(paid, { created: 1e18 }),
      forged(paid, { id: 'evt_\u0000' }),
      forged(paid, { id: 'e'.repeat(10_000) }),
      forged(paid, { account: {} }),
      forged(paid, { type: 7 }),
      forged(paid, {}, { metadata: { ...paidMetadata(paid), invoiceId: '99999999999' }, id: 'in_other' }),
      JSON.stringify({ ...paid, id: 'evt_empty', data: null }),
    ]
    for (const body of odd) {
      const { statusCode } = await send(body)
      expect([body.slice(0, 60), statusCode]).toEqual([body.slice(0, 60), 200])
    }
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'open' })
    await env.simulator.release('oldest_first')
    await eventually(
      () => look(invoice),
      ({ status }) => status === 'paid',
    )
  })

  const FALSE = [
    ['paid', { status: 'paid', amount_paid: 33_600, amount_remaining: 0 }],
    ['paid', { status: 'paid', total: 1, amount_paid: 1, amount_remaining: 0 }],
    ['paid', { status: 'paid', total: 1e12 }],
    ['paid', { status: 'paid', total: -1 }],
    ['paid', { status: 'paid', currency: 'eur' }],
    ['voided', { status: 'void' }],
    ['marked_uncollectible', { status: 'uncollectible' }],
  ] as const

  test('that are signed, and say of an open invoice what the processor does not, change nothing', async () => {
    const invoice = await billed()
    const real = await told(invoice, 'invoice.finalized')
    for (const [type, says] of FALSE) {
      expect((await send(forged(real, { type: `invoice.${type}` }, says))).statusCode).toBe(200)
    }
    const payment = {
      invoice: invoice.processor.invoiceId,
      payment: { payment_intent: 'pi_none' },
      amount_paid: 33_600,
    }
    expect((await send(forged(real, { type: 'invoice_payment.paid' }, payment))).statusCode).toBe(200)
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject({ status: 'open', amountPaidCents: 0, voided: false, payments: [] })
  })

  test.for([1, 20_000, 1e9])('that say that %s cents were paid bring what the processor took in', async (amount) => {
    const invoice = await billed()
    await env.simulator.hold()
    await pay(invoice)
    const says = { total: amount, amount_due: amount, amount_paid: amount }
    await send(forged(await told(invoice, 'invoice.paid'), {}, says))
    await env.workers.settled()
    const paid = { status: 'paid', amountPaidCents: 33_600, refundedCents: 0, payments: [{ amountCents: 33_600 }] }
    expect(await look(invoice)).toMatchObject(paid)
    await env.simulator.release('newest_first')
    await env.workers.settled()
    expect(await look(invoice)).toMatchObject(paid)
    expect(await timesNotified(invoice)).toBe(1)
  })

  test('that come while the processor does not answer wait until it does', async () => {
    const invoice = await billed()
    await env.simulator.fault({ match: 'GET /v1/invoices/:id', kind: '500', times: 3 })
    await pay(invoice)
    await eventually(env.simulator.faults, (faults) => faults.length === 0)
    expect(await look(invoice)).toMatchObject({ status: 'open' })
    expect(
      await eventually(
        () => look(invoice),
        ({ paid }) => paid,
      ),
    ).toMatchObject({ amountPaidCents: 33_600 })
    await env.workers.settled()
    expect(await timesNotified(invoice)).toBe(1)
  })

  test('of one payment make the processor be read once, when they come one after the other', async () => {
    const invoice = await billed()
    await env.simulator.hold()
    await pay(invoice)
    const reads = async () => {
      const { requests } = await env.simulator.everything()
      return requests.filter(({ method, path }) => method === 'GET' && path.endsWith(invoice.processor.invoiceId))
        .length
    }
    const before = await reads()
    const event = await told(invoice, 'invoice.paid')
    for (let time = 0; time < 3; time++) {
      await send(forged(event, {}))
      await env.workers.settled()
    }
    await env.simulator.release('oldest_first')
    await env.workers.settled()
    expect([await reads(), (await look(invoice)).status]).toEqual([before + 1, 'paid'])
  })

  const paidMetadata = (event: Stripe.Event) => (event.data.object as Stripe.Invoice).metadata

  async function timesNotified({ id }: Billed): Promise<number> {
    const { rows } = await env.api.core.database.pool.query(
      `select id from notification where kind = 'invoice_paid' and membership_id = $1 and data ->> 'invoiceId' = $2`,
      [env.school.admin.orgUserId, String(id)],
    )
    return rows.length
  }
})
