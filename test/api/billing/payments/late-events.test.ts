import { describe, expect } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { expectOk } from '../../../support/flights.ts'
import { type IssuedInvoice, invoicedTest } from '../../../support/invoiced.ts'
import { buildManaged } from '../../../support/managed.ts'
import { stripeClient } from '../../../support/stripe-simulator.ts'

interface Told {
  kind: string
  title: string
  body: string
  data: { invoiceId?: number }
}
interface StatementRow {
  kind: string
  amountCents: number
}
type Acting = 'credit' | 'part' | 'lines' | 'cash'

const items = [{ description: 'Ground school', unitPrice: 25_000 }]
const gatewayId = (invoice: IssuedInvoice) =>
  (invoice as unknown as { processor: { invoiceId: string } }).processor.invoiceId

const test = invoicedTest(items)
  /** What the admin does to an invoice whose payment at the processor nobody here has heard of. */
  .extend('act', ({ env: { api, school } }) => (id: number, what: Acting) => {
    const post = (path: string, body: object) => expectOk(api, school.admin, 'POST', `/invoices/${id}/${path}`, body)
    const patch = (body: object) => expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, body)
    if (what === 'credit') return post('creditNotes', { amountCents: 5_000, reason: 'Wrong rate', refund: 'none' })
    if (what === 'part') return post('payments', { amountCents: 5_000, method: 'cash' })
    if (what === 'lines') return patch({ items: [{ description: 'Ground school', unitPrice: 20_000 }] })
    return patch({ paid: true, paymentMethod: 'cash' })
  })
  .extend('statement', ({ env: { api, school } }) => async () => {
    const { orgUserId } = school.student
    const path = `/orgUsers/${orgUserId}/statement?startDate=2026-01-01&endDate=2027-01-01`
    return expectOk<{ rows: StatementRow[]; closingBalanceCents: number }>(api, school.admin, 'GET', path)
  })
  .extend('told', ({ env: { api, school } }) => async (id: number) => {
    const rows = await expectOk<Told[]>(api, school.student, 'GET', '/notifications?status=all&limit=100')
    return rows.filter(({ data }) => data.invoiceId === id)
  })
  .extend('events', ({ env: { api, school } }) => async (id: number) => {
    const rows = await expectOk<{ action: string; after: { amountCents?: number } | null }[]>(
      api,
      school.admin,
      'GET',
      `/audit?subject=invoice:${id}&limit=100`,
    )
    return rows.reverse()
  })

describe('a payment at the processor whose webhook is late (§Invoices)', () => {
  test.for([
    ['credit', 5_000, ['card']],
    ['part', 5_000, ['cash', 'card']],
    ['lines', 5_000, ['card']],
    ['cash', 25_000, ['cash', 'card']],
  ] as const)(
    'counts as a payment when the invoice changed meanwhile (%s); what is then too much goes back, said and shown',
    async ([what, tooMuch, methods], { env, raise, act, look, statement, told, events }) => {
      const { closingBalanceCents: owed, rows: before } = await statement()
      const refunds = async () => (await env.simulator.everything()).refunds.map(({ amount }) => amount)
      const refundsBefore = (await refunds()).length
      const { id, payUrl } = await raise()
      await env.workers.settled()
      await env.simulator.hold()
      await fetch(payUrl, { method: 'POST', redirect: 'manual' })
      await act(id, what)
      await env.workers.settled()
      await env.simulator.release('oldest_first')
      await env.workers.settled()
      const paid = await look(id)
      expect(paid).toMatchObject({ status: 'paid', amountDueCents: 0, creditCents: 0, refundedCents: tooMuch })
      const payments = (paid as unknown as { payments: { method: string }[] }).payments.map(({ method }) => method)
      expect(payments).toEqual(methods)
      expect((await refunds()).slice(refundsBefore)).toEqual([tooMuch])
      const after = await statement()
      expect(after.closingBalanceCents).toBe(owed)
      const shown = after.rows.slice(before.length).map(({ kind, amountCents }) => [kind, amountCents])
      expect(shown).toContainEqual(['payment', -25_000])
      expect(shown).toContainEqual(['refund', tooMuch])
      const log = await events(id)
      expect(log.filter(({ action }) => action === 'invoice.payment_returned')).toMatchObject([
        { after: { amountCents: tooMuch } },
      ])
      expect(log.filter(({ action }) => action === 'invoice.raised')).toHaveLength(1)
      const back = (await told(id)).filter(({ kind }) => kind === 'payment_returned')
      const money = `$${tooMuch / 100}.00`
      expect(back).toMatchObject([{ title: expect.stringContaining(money), body: expect.stringContaining(money) }])
      const open = (await env.simulator.everything()).invoices.filter(
        ({ metadata, status }) => Number(metadata?.invoiceId) === id && status === 'open',
      )
      expect(open).toEqual([])
    },
  )

  test('leaves what is still due when the invoice became larger meanwhile', async ({ env, raise, look, told }) => {
    const { api, school, simulator, workers } = env
    const { id, payUrl } = await raise()
    await workers.settled()
    await simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const larger = [{ description: 'Ground school', unitPrice: 40_000 }]
    await expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, { items: larger })
    await workers.settled()
    await simulator.release('oldest_first')
    await workers.settled()
    const open = await look(id)
    expect(open).toMatchObject({ status: 'open', amountPaidCents: 25_000, amountDueCents: 15_000, refundedCents: 0 })
    const changed = (await told(id)).filter(({ kind }) => kind === 'invoice_changed').map(({ body }) => body)
    expect(changed[0]).toContain('A payment of $250.00 by card came in. $150.00 of invoice')
    await fetch(open.payUrl, { method: 'POST', redirect: 'manual' })
    expect(
      await eventually(
        () => look(id),
        ({ status }) => status === 'paid',
      ),
    ).toMatchObject({ amountPaidCents: 40_000 })
  })

  test('of an invoice that is void here goes back, and the payer is told', async ({
    env,
    raise,
    look,
    told,
    events,
  }) => {
    const { api, school, simulator, workers } = env
    const { id, payUrl } = await raise()
    await workers.settled()
    await simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/void`, { reason: 'Wrong person' })
    await workers.settled()
    await simulator.release('oldest_first')
    await workers.settled()
    expect(await look(id)).toMatchObject({ status: 'void', voidReason: 'Wrong person', refundedCents: 25_000 })
    const returned = (await events(id)).filter(({ action }) => action === 'invoice.payment_returned')
    expect(returned).toMatchObject([{ after: { amountCents: 25_000 } }])
    expect((await told(id)).filter(({ kind }) => kind === 'payment_returned')).toHaveLength(1)
  })

  test('is followed when its payer was merged into a member with another customer there', async ({
    env: { api, school, simulator, workers },
    raise,
    paidByCard,
    look,
  }) => {
    await paidByCard()
    const { orgUserId } = await buildManaged(api, school, { email: 'merged@example.com' })
    const { id, payUrl } = await raise(orgUserId)
    await workers.settled()
    await simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    await expectOk(api, school.admin, 'POST', `/orgUsers/${orgUserId}/merge`, {
      intoOrgUserId: school.student.orgUserId,
    })
    await simulator.release('oldest_first')
    await workers.settled()
    expect(await look(id)).toMatchObject({
      status: 'paid',
      amountPaidCents: 25_000,
      customer: { orgUserId: school.student.orgUserId },
    })
  })
})

describe('an invoice that asks for another amount (§Invoices)', () => {
  test('is raised once; its payer has one message for each change, which says what changed', async ({
    env,
    raise,
    act,
    told,
    events,
  }) => {
    const { id } = await raise()
    await env.workers.settled()
    const step = async (what: Acting) => {
      await act(id, what)
      await env.workers.settled()
    }
    await step('lines')
    await step('credit')
    await step('part')
    const actions = (await events(id)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'invoice.raised')).toHaveLength(1)
    expect(actions.filter((action) => action === 'invoice.reissued')).toHaveLength(3)
    const messages = (await told(id)).reverse().map(({ kind, body }) => [kind, body.split('. ')[0]])
    expect(messages).toEqual([
      ['invoice_raised', expect.stringContaining('$250.00')],
      ['invoice_changed', 'Its lines changed: the total is $200.00 instead of $250.00'],
      ['invoice_changed', expect.stringMatching(/^Credit note \d+ takes \$50[.]00 off: Wrong rate/)],
      ['invoice_changed', 'A payment of $50.00 by cash came in'],
    ])
  })
})

describe('an invoice that somebody marked paid at the processor (§Invoices)', () => {
  test('was not paid by card: it is paid by another way, and a credit cannot go back to a card', async ({
    env,
    raise,
    look,
  }) => {
    const { api, school, simulator, workers } = env
    const raised = await raise()
    await workers.settled()
    await stripeClient(simulator).invoices.pay(gatewayId(raised), { paid_out_of_band: true })
    const paid = await eventually(
      () => look(raised.id),
      ({ status }) => status === 'paid',
    )
    expect(paid).toMatchObject({
      paymentMethod: 'other',
      settlement: 'offline',
      amountPaidCents: 25_000,
      payments: [{ amountCents: 25_000, method: 'other', recordedBy: null }],
    })
    const credit = (refund: string) =>
      api.as(school.admin).post(`/invoices/${raised.id}/creditNotes`, { amountCents: 5_000, reason: 'Wrong', refund })
    const refused = await credit('processor')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'NOTHING_TO_REFUND'])
    expect((await credit('offline')).statusCode).toBe(201)
    expect(await look(raised.id)).toMatchObject({ refundedCents: 5_000 })
  })

  test('after a part by card is paid by card for that part alone', async ({ env, raise, look }) => {
    const { api, school, simulator, workers } = env
    const raised = await raise()
    await workers.settled()
    await simulator.move(gatewayId(raised), 'pay', 10_000)
    await stripeClient(simulator).invoices.pay(gatewayId(raised), { paid_out_of_band: true })
    const paid = await eventually(
      () => look(raised.id),
      ({ status }) => status === 'paid',
    )
    expect(paid).toMatchObject({
      status: 'paid',
      settlement: 'processor',
      amountPaidCents: 25_000,
      payments: [
        { amountCents: 10_000, method: 'card' },
        { amountCents: 15_000, method: 'other' },
      ],
    })
    const credit = { amountCents: 25_000, reason: 'Not held', refund: 'processor' }
    const made = await expectOk(api, school.admin, 'POST', `/invoices/${raised.id}/creditNotes`, credit)
    await workers.settled()
    expect(made).toMatchObject({ refundStatus: 'pending' })
    expect((await simulator.everything()).refunds.at(-1)).toMatchObject({ amount: 10_000 })
  })
})
