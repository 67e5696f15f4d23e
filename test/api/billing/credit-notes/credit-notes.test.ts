import { describe, expect } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { expectOk, flownBy } from '../../../support/flights.ts'
import { type IssuedInvoice, invoicedTest, setRefundLimit } from '../../../support/invoiced.ts'

interface Entry {
  id: number
  kind: string
  amountCents: number
  balanceCents: number
}

const items = [
  { description: 'Seven hours at the rate of another aircraft', unitPrice: 20_000 },
  { description: 'Headset', unitPrice: 5_000 },
]

const test = invoicedTest(items)
  .extend('credit', ({ env: { api, school } }) => async (id: number, body: object) => {
    const response = await api.as(school.admin).post(`/invoices/${id}/creditNotes`, { reason: 'Wrong rate', ...body })
    return { status: response.statusCode, body: response.json() }
  })
  .extend(
    'ledger',
    ({ env: { api, school } }) =>
      (orgUserId: number) =>
        expectOk<Entry[]>(api, school.admin, 'GET', `/orgUsers/${orgUserId}/ledger`),
  )

describe('a credit note (§Invoices)', () => {
  test('puts a wrong rate right that is found after payment: credit, refund, bill again', async ({
    env,
    paidByCard,
    credit,
    look,
  }) => {
    const { api, school, workers, simulator } = env
    const { id, items: lines } = await paidByCard()
    const made = await credit(id, { items: [{ itemId: lines[0]?.id, amountCents: 20_000 }], refund: 'processor' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: {
          invoiceId: id,
          items: [{ itemId: lines[0]?.id, description: items[0]?.description, amountCents: 20_000 }],
          amountCents: 20_000,
          taxCents: 0,
          refund: 'processor',
          refundStatus: 'pending',
          refundedCents: 0,
        },
      },
    })
    await workers.settled()
    expect(await look(id)).toMatchObject({ paid: true, creditedCents: 20_000, refundedCents: 20_000, creditCents: 0 })
    const { refunds } = await simulator.everything()
    expect(refunds.map(({ amount }) => amount)).toEqual([20_000])
    const mine = await expectOk<{ refundStatus: string }[]>(api, school.student, 'GET', `/invoices/${id}/creditNotes`)
    expect(mine).toMatchObject([{ number: 1, refundStatus: 'succeeded', refundedCents: 20_000 }])
    const [told] = await expectOk<{ title: string }[]>(api, school.student, 'GET', '/notifications')
    expect(told).toMatchObject({
      kind: 'invoice_credited',
      title: 'Credit on invoice 1: $200.00',
      data: { invoiceId: id },
    })
    const pdf = await api.as(school.student).get(`/creditNotes/${made.body.data.id}?format=pdf`)
    expect([pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
      'application/pdf',
      '%PDF-',
    ])
    expect((await api.as(school.renter).get(`/creditNotes/${made.body.data.id}?format=pdf`)).statusCode).toBe(404)
    const again = {
      customer: { orgUserId: school.student.orgUserId },
      items: [{ description: 'Right', unitPrice: 17_000 }],
    }
    expect((await api.as(school.admin).post('/invoices', again)).statusCode).toBe(201)
    expect(await credit(id, { amountCents: 5_001, refund: 'none' })).toMatchObject({
      status: 409,
      body: { code: 'CREDIT_EXCEEDS' },
    })
  })

  test('is told to who pays, each with its own amount', async ({ env, paidByCard, credit }) => {
    const { api, school, workers } = env
    const { id } = await paidByCard()
    await Promise.all([1_000, 2_000, 3_000].map((amountCents) => credit(id, { amountCents, refund: 'none' })))
    await workers.settled()
    const told = await expectOk<{ kind: string; title: string; data: { invoiceId: number } }[]>(
      api,
      school.student,
      'GET',
      '/notifications',
    )
    const ofNotes = told.filter(({ kind, data }) => kind === 'invoice_credited' && data.invoiceId === id)
    const amounts = ofNotes.map(({ title }) => title.split(': ')[1])
    expect(amounts.sort()).toEqual(['$10.00', '$20.00', '$30.00'])
  })

  test('of an unpaid invoice lessens what is due there and at the processor, down to nothing', async ({
    env,
    raise,
    credit,
    look,
  }) => {
    const before = (await env.simulator.everything()).invoices.length
    const { id, payUrl } = await raise()
    expect(await credit(id, { amountCents: 24_951, refund: 'none' })).toMatchObject({
      status: 409,
      body: { code: 'REMAINDER_TOO_SMALL', details: { leftCents: 49 } },
    })
    expect(await credit(id, { amountCents: 5_000, refund: 'processor' })).toMatchObject({
      status: 409,
      body: { code: 'NOTHING_TO_REFUND' },
    })
    expect(await credit(id, { amountCents: 5_000, refund: 'none' })).toMatchObject({ status: 201 })
    const open = await eventually(
      () => look(id),
      ({ status }) => status === 'open',
    )
    expect(open).toMatchObject({ totalCents: 25_000, creditedCents: 5_000, amountDueCents: 20_000 })
    expect(open.payUrl).not.toBe(payUrl)
    const changed = await env.api.as(env.school.admin).patch(`/invoices/${id}`, { items })
    expect([changed.statusCode, changed.json().code]).toEqual([409, 'INVOICE_CREDITED'])
    await env.workers.settled()
    const atGateway = async () =>
      (await env.simulator.everything()).invoices.slice(before).map(({ status, total }) => [status, total])
    expect(await atGateway()).toEqual([
      ['void', 25_000],
      ['open', 20_000],
    ])
    expect(await credit(id, { amountCents: 20_000, refund: 'none' })).toMatchObject({ status: 201 })
    await env.workers.settled()
    expect(await look(id)).toMatchObject({
      status: 'void',
      voidReason: 'credited',
      amountDueCents: 0,
      amountPaidCents: 0,
      creditCents: 0,
    })
    expect((await atGateway()).map(([status]) => status)).toEqual(['void', 'void'])
    expect(await env.api.as(env.school.admin).patch(`/invoices/${id}`, { items })).toMatchObject({ statusCode: 409 })
  })

  test('of the whole of an unpaid flight voids its invoice, and the flight is billed again', async ({
    env,
    credit,
    look,
  }) => {
    const { api, school } = env
    const flight = await flownBy(api, school, 0)
    const bill = () => expectOk<IssuedInvoice[]>(api, school.admin, 'POST', `/reservations/${flight.id}/invoices`)
    const [wrong] = await bill()
    expect(await credit(wrong!.id, { amountCents: wrong!.totalCents, refund: 'none' })).toMatchObject({ status: 201 })
    expect(await look(wrong!.id)).toMatchObject({ status: 'void', voided: true, creditedCents: wrong!.totalCents })
    const [right] = await bill()
    expect(right).toMatchObject({ totalCents: wrong!.totalCents, creditedCents: 0 })
    expect(right!.id).not.toBe(wrong!.id)
  })

  test('of the whole of an invoice that is paid at that moment gives the money back', async ({
    env: { api, school, simulator, workers },
    raise,
    credit,
    look,
  }) => {
    const before = (await simulator.everything()).refunds.length
    const { id, payUrl } = await raise()
    await simulator.hold()
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    expect(await credit(id, { amountCents: 25_000, refund: 'none' })).toMatchObject({ status: 201 })
    await workers.settled()
    await simulator.release('oldest_first')
    await workers.settled()
    expect((await simulator.everything()).refunds.slice(before).map(({ amount }) => amount)).toEqual([25_000])
    expect(await look(id)).toMatchObject({ status: 'void', amountDueCents: 0, creditCents: 0 })
    const errors = await api.core.database.pool.query(
      'select job from outbox where organization_id = $1 and failed_at is not null',
      [school.organizationId],
    )
    expect(errors.rows).toEqual([])
  })

  test('of the whole of a paid flight lets its close-out be opened again, and of a part does not', async ({
    env,
    credit,
    look,
  }) => {
    const { api, school } = env
    const flight = await flownBy(api, school, 1)
    const [paid] = await expectOk<IssuedInvoice[]>(api, school.admin, 'POST', `/reservations/${flight.id}/invoices`)
    await fetch(paid!.payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(
      () => look(paid!.id),
      ({ status }) => status === 'paid',
    )
    const reopen = () => api.as(school.admin).post(`/reservations/${flight.id}/reopen`, { reason: 'Wrong Hobbs' })
    expect((await reopen()).statusCode).toBe(409)
    expect(await credit(paid!.id, { amountCents: paid!.totalCents - 1, refund: 'none' })).toMatchObject({ status: 201 })
    expect((await reopen()).statusCode).toBe(409)
    expect(await credit(paid!.id, { amountCents: 1, refund: 'none' })).toMatchObject({ status: 201 })
    expect((await reopen()).statusCode).toBe(200)
  })

  test('is made twenty times at once, and never gives back more than was paid', async ({
    env,
    paidByCard,
    credit,
    look,
  }) => {
    const before = (await env.simulator.everything()).refunds.length
    const { id } = await paidByCard()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => credit(id, { amountCents: 6_000, refund: 'processor' })),
    )
    expect(made.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(4)
    await env.workers.settled()
    expect(await look(id)).toMatchObject({ creditedCents: 24_000, refundedCents: 24_000 })
    const refunds = (await env.simulator.everything()).refunds.slice(before)
    expect(refunds.map(({ amount }) => amount)).toEqual([6_000, 6_000, 6_000, 6_000])
    const { rows } = await env.api.core.database.pool.query(
      'select array_agg(number order by number) as numbers, max(number) as last from credit_note where organization_id = $1',
      [env.school.organizationId],
    )
    expect(rows[0].numbers).toEqual(Array.from({ length: rows[0].last }, (_, index) => index + 1))
  })

  test('is kept within what came, each way by itself, by constraints', async ({ env, paidByCard }) => {
    const { id } = await paidByCard()
    const set = (columns: string) =>
      env.api.core.database.pool.query(`update invoice set ${columns} where id = ${id}`).then(
        () => null,
        (error: { constraint?: string }) => error.constraint,
      )
    expect(await set('refunded_cents = 25001, gateway_refunded_cents = 25001')).toMatch(/^invoice_refunded/)
    expect(await set('refunded_cents = 1')).toBe('invoice_refunded_by_way')
    expect(await set('credited_cents = 25001')).toBe('invoice_credited')
  })

  test('of lines takes no more than the invoice comes to, discounts included', async ({ env, credit }) => {
    const { api, school } = env
    const { id, items: lines } = await expectOk<IssuedInvoice>(api, school.admin, 'POST', '/invoices', {
      customer: { orgUserId: school.student.orgUserId },
      items: [...items, { description: 'Discount', unitPrice: -10_000 }],
    })
    const [first] = lines
    const asked = [{ itemId: first!.id, amountCents: 15_001 }]
    expect(await credit(id, { items: asked, refund: 'none' })).toMatchObject({
      status: 409,
      body: { code: 'CREDIT_EXCEEDS' },
    })
    const discount = [{ itemId: lines[2]!.id, amountCents: 100 }]
    expect(await credit(id, { items: discount, refund: 'none' })).toMatchObject({ status: 400 })
  })

  test('whose refund the processor does not make whole leaves the rest to the payer', async ({
    env,
    paidByCard,
    credit,
    look,
  }) => {
    const { id } = await paidByCard()
    const { processor } = (await look(id)) as unknown as { processor: { invoiceId: string } }
    await env.api.core.gateway.refund({
      account: null,
      gatewayInvoiceId: processor.invoiceId,
      key: 'ref_by-hand',
      amountCents: 22_000 as never,
    })
    const { body } = await credit(id, { amountCents: 10_000, refund: 'processor' })
    await env.workers.settled()
    const [note] = await expectOk<object[]>(env.api, env.school.admin, 'GET', `/invoices/${id}/creditNotes`)
    expect([body.data.refundStatus, note]).toMatchObject(['pending', { refundStatus: 'failed', refundedCents: 3_000 }])
    expect(await look(id)).toMatchObject({ refundedCents: 3_000, creditCents: 7_000 })
  })

  test('of what the account paid goes back there, and its entries are not reversed by hand', async ({
    env,
    raise,
    credit,
    ledger,
    look,
  }) => {
    const { api, school } = env
    const { renter } = school
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${renter.orgUserId}`, { billingMode: 'ledger' })
    const { id } = await raise(renter.orgUserId)
    expect(await credit(id, { amountCents: 5_000, refund: 'ledger' })).toMatchObject({
      status: 201,
      body: { data: { refundStatus: 'succeeded', refundedCents: 5_000 } },
    })
    const entries = await ledger(renter.orgUserId)
    expect(entries).toMatchObject([
      { kind: 'credit', amountCents: 5_000, balanceCents: -20_000 },
      { kind: 'invoice_charge', amountCents: -25_000, balanceCents: -25_000 },
    ])
    for (const entry of entries) {
      const reversed = await api.as(school.admin).post(`/ledger/${entry.id}/reverse`, { reason: 'By mistake' })
      expect([reversed.statusCode, reversed.json().code]).toEqual([409, 'INVOICE_CREDITED'])
    }
    expect(await look(id)).toMatchObject({ status: 'paid', creditedCents: 5_000, refundedCents: 5_000 })
  })

  test('above the limit is given back once a second admin approves it', async ({ env, raise, credit, look }) => {
    const { api, school } = env
    const { id } = await raise()
    await expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
    await setRefundLimit(api, school, 4_000)
    const decide = (who: { token: string }, approved: boolean) =>
      api
        .as(who)
        .post(`/invoices/${id}/refund`, { approved })
        .then(({ statusCode }) => statusCode)
    const waiting = await credit(id, { amountCents: 5_000, refund: 'offline' })
    expect(waiting.body.data).toMatchObject({ refundStatus: 'waiting', refundedCents: 0 })
    expect(await look(id)).toMatchObject({ refundStatus: 'waiting', creditedCents: 5_000, refundedCents: 5_000 })
    expect(await credit(id, { amountCents: 1_000, refund: 'offline' })).toMatchObject({ status: 409 })
    expect([await decide(school.admin, true), await decide(school.owner, false)]).toEqual([403, 200])
    expect(await look(id)).toMatchObject({ refundStatus: null, refundedCents: 0, creditCents: 5_000 })
    await credit(id, { amountCents: 6_000, refund: 'offline' })
    expect(await decide(school.owner, true)).toBe(200)
    expect(await look(id)).toMatchObject({ refundStatus: null, creditedCents: 11_000, refundedCents: 6_000 })
    await setRefundLimit(api, school, null)
  })

  test('of cash goes to the account, or back by hand', async ({ env, raise, credit, ledger }) => {
    const { api, school } = env
    const { student } = school
    const { id } = await raise()
    await expectOk(api, school.admin, 'PATCH', `/invoices/${id}`, { paid: true, paymentMethod: 'cash' })
    expect(await credit(id, { amountCents: 2_000, refund: 'processor' })).toMatchObject({ status: 409 })
    expect(await credit(id, { amountCents: 2_000, refund: 'ledger' })).toMatchObject({ status: 201 })
    expect(await credit(id, { amountCents: 1_000, refund: 'offline' })).toMatchObject({
      body: {
        data: {
          refundStatus: 'succeeded',
          refundedCents: 1_000,
          createdBy: { orgUserId: school.admin.orgUserId, name: school.admin.name },
        },
      },
    })
    expect(await ledger(student.orgUserId)).toMatchObject([{ kind: 'credit', amountCents: 2_000 }])
    const [told] = await expectOk<object[]>(api, school.admin, 'GET', '/audit?action=invoice.credited&limit=1')
    expect(told).toMatchObject({ after: { amountCents: 1_000, refund: 'offline', own: false } })
  })

  test('of a void invoice is refused, and none is kept', async ({ env: { api, school }, raise, credit }) => {
    const { id } = await raise()
    await expectOk(api, school.admin, 'POST', `/invoices/${id}/void`, { reason: 'Raised twice' })
    const { status, body } = await credit(id, { amountCents: 1_000, refund: 'none' })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'NOT_PENDING' })
    expect(body.message).toBe(
      'The invoice is void: only an invoice that is issued and neither void nor failed can be credited.',
    )
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${id}/creditNotes`)).toEqual([])
  })
})
