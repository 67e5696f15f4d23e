import { describe, expect } from 'vitest'
import { settleAtGateway, voidAtGateway } from '../../../../src/shared/billing/invoices/invoices.jobs.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk } from '../../../support/flights.ts'

interface Item {
  id: number
  description: string
  quantity: number
  unit: string
  unitPrice: number
}

interface Invoice {
  id: number
  number: number
  status: string
  totalCents: number
  payUrl: string
  items: Item[]
  processor: { invoiceId: string | null }
}

const books = { description: 'Books', unitPrice: 4500 }

function pay(invoice: { payUrl: string }) {
  return fetch(invoice.payUrl, { method: 'POST', redirect: 'manual' })
}

const test = billingTest()
  .extend('school', { scope: 'file' }, ({ env }) => env.school)

  .extend('raise', ({ school, env }) => (items: object[] = [books]): Promise<Invoice> => {
    const body = { customer: { orgUserId: school.student.orgUserId }, items }
    return expectOk<Invoice>(env.api, school.admin, 'POST', '/invoices', body)
  })

  .extend(
    'change',
    ({ school, env }) =>
      (id: number, body: object, who = school.admin) =>
        env.api.as(who).patch(`/invoices/${id}`, body),
  )

  .extend('atGateway', ({ env }) => async (id: string | null) => {
    const { invoices } = await env.simulator.everything()
    return invoices.find((invoice) => invoice.id === id)
  })

test.afterEach(({ env }) => env.simulator.clearFaults())

describe('new lines of an invoice (§Invoices, PATCH /invoices/{id})', () => {
  test('void the invoice at the processor and raise another under the same number', async ({
    raise,
    change,
    atGateway,
    env,
    school,
  }) => {
    const before = await raise()
    const answer = await change(before.id, {
      items: [
        { ...books, quantity: 2 },
        { description: 'Pen', unitPrice: 150 },
      ],
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const after = answer.json().data as Invoice
    expect(after).toMatchObject({
      id: before.id,
      number: before.number,
      status: 'open',
      totalCents: 9150,
      amountDueCents: 9150,
      items: [
        { description: 'Books', quantity: 2, amountCents: 9000 },
        { description: 'Pen', quantity: 1, amountCents: 150 },
      ],
    })
    expect(after.payUrl).not.toBe(before.payUrl)
    expect(await atGateway(after.processor.invoiceId)).toMatchObject({ status: 'open', total: 9150 })
    await env.workers.settled()
    expect(await atGateway(before.processor.invoiceId)).toMatchObject({ status: 'void' })
    await pay(after)
    const look = () => expectOk<Invoice>(env.api, school.student, 'GET', `/invoices/${before.id}`)
    expect(await eventually(look, ({ status }) => status === 'paid')).toMatchObject({ amountPaidCents: 9150 })
  })

  test('that equal the present ones change nothing at the processor', async ({ raise, change }) => {
    const before = await raise()
    const { data } = (await change(before.id, { items: [books], memo: 'For the first solo' })).json()
    expect(data).toMatchObject({ memo: 'For the first solo', payUrl: before.payUrl, status: 'open' })
  })

  test('keep the charge kind of a line of a flight', async ({ env, school, change }) => {
    const id = await closedOutFlight(env.api, school)
    const [invoice] = await expectOk<Invoice[]>(env.api, school.admin, 'POST', `/reservations/${id}/invoices`)
    const items = invoice?.items.map(({ description, quantity, unit, unitPrice, ...item }, index) => ({
      ...(index === 0 && { id: item.id }),
      description,
      quantity: index === 0 ? 1.3 : quantity,
      unit,
      unitPrice,
    }))
    const { data } = (await change(invoice?.id ?? 0, { items })).json()
    // 1.3 h × $180 wet + 1.4 h × $60 instruction
    expect(data.totalCents).toBe(23_400 + 8_400)
    const { rows } = await env.api.core.database.pool.query(
      'select kind from invoice_item where invoice_id = $1 order by position',
      [invoice?.id],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['aircraft', 'other'])
  })

  test('sent twice in a row leave one invoice at the processor', async ({ raise, change, env, school }) => {
    const before = await raise()
    await Promise.all([
      change(before.id, { items: [{ ...books, unitPrice: 5000 }] }),
      change(before.id, { items: [{ ...books, unitPrice: 6000 }] }),
    ])
    await env.workers.settled()
    const { totalCents, status } = await expectOk<Invoice>(env.api, school.admin, 'GET', `/invoices/${before.id}`)
    expect(status).toBe('open')
    const { invoices } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => metadata?.invoiceId === String(before.id))
    expect(ours.filter((invoice) => invoice.status === 'open').map(({ total }) => total)).toEqual([totalCents])
    expect(ours.filter((invoice) => invoice.status === 'void').length).toBe(ours.length - 1)
  })

  test('sent while the processor is still raising the earlier ones leave one invoice there', async ({
    raise,
    env,
    change,
    school,
    impatient,
  }) => {
    const before = await raise()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const slow = change(before.id, { items: [{ ...books, unitPrice: 5000 }] })
    await env.simulator.met()
    const body = { items: [{ ...books, unitPrice: 6000 }] }
    await impatient.as(school.admin).patch(`/invoices/${before.id}`, body)
    await env.workers.ended(voidAtGateway)
    await env.simulator.clearFaults()
    await slow
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => metadata?.invoiceId === String(before.id))
    expect(ours.map(({ status, total }) => `${status} ${total}`).sort()).toEqual([
      'open 6000',
      'void 4500',
      'void 5000',
    ])
  })

  test('that the processor refuses leave the invoice void with the reason', async ({ raise, env, change, school }) => {
    const before = await raise()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    const refused = await change(before.id, { items: [{ ...books, unitPrice: 5000 }] })
    expect(refused.statusCode).toBe(400)
    expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${before.id}`)).toMatchObject({
      status: 'void',
      number: before.number,
    })
  })

  test('sent while the payer pays the old ones stand, and ask for the rest', async ({ raise, env, change, school }) => {
    const before = await raise()
    // It cannot be voided before the payer has paid.
    await env.simulator.fault({ match: 'POST /v1/invoices/:id/void', kind: '500', times: 1_000 })
    const { data } = (await change(before.id, { items: [{ ...books, unitPrice: 5000 }] })).json()
    await pay(before)
    await env.simulator.clearFaults()
    await env.workers.settled()
    expect(data).toMatchObject({ status: 'open', totalCents: 5000 })
    const { refunds } = await env.simulator.everything()
    expect(refunds).toEqual([])
    expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${before.id}`)).toMatchObject({
      status: 'open',
      totalCents: 5000,
      amountPaidCents: 4500,
      amountDueCents: 500,
    })
  })
})

describe('the terms of an invoice', () => {
  test('are memo and due date, which change alone and may be removed', async ({ raise, change }) => {
    const { id, payUrl } = await raise()
    const set = (await change(id, { memo: 'Two books', dueAt: '2031-05-01T00:00:00Z' })).json().data
    expect(set).toMatchObject({ memo: 'Two books', dueAt: '2031-05-01T00:00:00.000Z', payUrl })
    expect((await change(id, { memo: null, dueAt: null })).json().data).toMatchObject({ memo: null, dueAt: null })
  })

  test('make the invoice overdue when the due date is in the past', async ({ raise, change }) => {
    const { id } = await raise()
    expect((await change(id, { dueAt: '2020-01-01T00:00:00Z' })).json().data).toMatchObject({ overdue: true })
  })
})

describe('marking an invoice as paid', () => {
  test.for(['cash', 'check', 'card', 'other'])(
    'by %s pays it in the service and at the processor',
    async (paymentMethod, { raise, change, env, atGateway }) => {
      const invoice = await raise()
      const answer = await change(invoice.id, { paid: true, paymentMethod })
      expect(answer.statusCode).toBe(200)
      expect(answer.json().data).toMatchObject({
        status: 'paid',
        paid: true,
        paymentMethod,
        settlement: 'offline',
        amountPaidCents: 4500,
        amountDueCents: 0,
      })
      await env.workers.settled()
      expect(await atGateway(invoice.processor.invoiceId)).toMatchObject({ status: 'paid' })
      expect(answer.json().data.processor).toEqual({
        name: 'stripe',
        invoiceId: invoice.processor.invoiceId,
        error: null,
      })
    },
  )

  test('without a method records the method as other', async ({ raise, change }) => {
    const { id } = await raise()
    expect((await change(id, { paid: true })).json().data.paymentMethod).toBe('other')
  })

  test('while the processor is still raising it leaves nothing to pay there', async ({
    env,
    school,
    change,
    impatient,
  }) => {
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const pending = await impatient
      .as(school.admin)
      .post('/invoices', { customer: { orgUserId: school.student.orgUserId }, items: [books] })
    const { id } = pending.json().data
    expect(pending.json().data.status).toBe('pending')
    await env.simulator.met()
    const paid = (await change(id, { paid: true, paymentMethod: 'cash' })).json().data
    expect(paid).toMatchObject({ status: 'paid', paymentMethod: 'cash' })
    expect(paid.number).toBeGreaterThan(0)
    await env.workers.ended(settleAtGateway)
    await env.simulator.clearFaults()
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => metadata?.invoiceId === String(id))
    expect(ours.map(({ status }) => status)).toEqual(['paid'])
    expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${id}`)).toMatchObject({ paymentMethod: 'cash' })
  })

  test.for([
    ['cash', [4500], { amountPaidCents: 9000, refundedCents: 4500, processor: { error: null } }],
    [
      'other',
      [],
      {
        amountPaidCents: 4500,
        refundedCents: 0,
        processor: { error: expect.stringMatching(/^It is paid at the payment processor too\./) },
      },
    ],
  ] as const)(
    'by %s when the payer paid there already says so, and gives back what is certainly too much',
    async ([paymentMethod, given, figures], { raise, env, change, school }) => {
      const invoice = await raise()
      const before = (await env.simulator.everything()).refunds.length
      await env.simulator.hold()
      await pay(invoice)
      await change(invoice.id, { paid: true, paymentMethod })
      await env.workers.settled()
      await env.simulator.release('oldest_first')
      await env.workers.settled()
      const { refunds } = await env.simulator.everything()
      expect(refunds.slice(before).map(({ amount }) => amount)).toEqual(given)
      expect(await expectOk(env.api, school.admin, 'GET', `/invoices/${invoice.id}`)).toMatchObject({
        status: 'paid',
        paymentMethod,
        ...figures,
      })
    },
  )

  test('while its lines are replaced ends both versions at the processor', async ({
    raise,
    env,
    change,
    school,
    impatient,
  }) => {
    const { id } = await raise()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const slow = await impatient.as(school.admin).patch(`/invoices/${id}`, { items: [{ ...books, unitPrice: 5000 }] })
    expect(slow.json()).toMatchObject({ data: { status: 'pending' }, warnings: [expect.any(String)] })
    await env.simulator.met()
    await change(id, { paid: true, paymentMethod: 'cash' })
    await env.workers.ended(settleAtGateway)
    await env.simulator.clearFaults()
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    const ours = invoices.filter(({ metadata }) => metadata?.invoiceId === String(id))
    expect(ours.map(({ status, total }) => `${status} ${total}`).sort()).toEqual(['paid 5000', 'void 4500'])
  })
})

describe('a change of an invoice is refused', () => {
  test.for<[string, object, string]>([
    ['paying and changing at once', { paid: true, memo: 'x' }, 'paid'],
    ['making it unpaid', { paid: false }, 'paid'],
    ['a way of paying without paying', { paymentMethod: 'cash' }, 'paymentMethod'],
    ['a way of paying that is ours', { paid: true, paymentMethod: 'ledger' }, 'paymentMethod'],
    ['no lines at all', { items: [] }, 'items'],
    ['lines below 50 cents', { items: [{ ...books, unitPrice: 10 }] }, 'items'],
    ['a line of another invoice', { items: [{ ...books, id: 2_147_483_647 }] }, 'items.0.id'],
  ])('when its body has an error: %s', async ([_, body, field], { raise, change }) => {
    const { id } = await raise()
    const refused = await change(id, body)
    expect([refused.statusCode, refused.json().message.split(':')[0]]).toEqual([400, field])
  })

  test('once the invoice is paid or void', async ({ raise, change, env, school }) => {
    const paid = await raise()
    await change(paid.id, { paid: true })
    const gone = await raise()
    await expectOk(env.api, school.admin, 'POST', `/invoices/${gone.id}/void`, { reason: 'Wrong person' })
    for (const { id } of [paid, gone]) {
      for (const body of [{ items: [books] }, { memo: 'x' }, { dueAt: null }, { paid: true }]) {
        const refused = await change(id, body)
        expect([refused.statusCode, refused.json().code]).toEqual([409, 'NOT_PENDING'])
      }
    }
  })
})
