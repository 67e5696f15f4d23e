import { describe, expect } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { setRefundLimit } from '../../../support/invoiced.ts'
import { SECRET_KEY } from '../../../support/stripe-simulator.ts'

interface Invoice {
  id: number
  status: string
  payUrl: string | null
  amountPaidCents: number
  amountDueCents: number
  payments: { id: number; amountCents: number; method: string; reversedCents: number }[]
}

const items = [{ description: 'Ground school', unitPrice: 25_000 }]

const test = billingTest()
  .extend(
    'raise',
    ({ env: { api, school } }) =>
      (orgUserId = school.student.orgUserId) =>
        expectOk<Invoice>(api, school.admin, 'POST', '/invoices', { customer: { orgUserId }, items }),
  )
  .extend(
    'look',
    ({ env: { api, school } }) =>
      (id: number) =>
        expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`),
  )
  .extend('record', ({ env: { api, school } }) => async (id: number, body: object) => {
    const response = await api.as(school.admin).post(`/invoices/${id}/payments`, { method: 'cash', ...body })
    return { status: response.statusCode, body: response.json() }
  })
  .extend('reverse', ({ env: { api, school } }) => async (id: number, paymentId: number) => {
    const path = `/invoices/${id}/payments/${paymentId}/reverse`
    const response = await api.as(school.admin).post(path, { reason: 'The check bounced' })
    return { status: response.statusCode, body: response.json() }
  })
  .extend('atGateway', ({ env }) => async (before: number) => {
    await env.workers.settled()
    const { invoices } = await env.simulator.everything()
    return invoices.slice(before).map(({ status, total }) => [status, total])
  })

describe('a part payment (§Invoices)', () => {
  test('leaves the rest due here and at the processor, until the last part settles both', async ({
    env,
    raise,
    record,
    atGateway,
  }) => {
    const before = (await env.simulator.everything()).invoices.length
    const { id, payUrl } = await raise()
    const first = await record(id, { amountCents: 10_000, method: 'check', reference: 'Check 1042' })
    expect(first).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'open',
          amountPaidCents: 10_000,
          amountDueCents: 15_000,
          paid: false,
          payments: [
            {
              amountCents: 10_000,
              method: 'check',
              reference: 'Check 1042',
              reversedCents: 0,
              recordedBy: { orgUserId: env.school.admin.orgUserId },
            },
          ],
        },
      },
    })
    expect(first.body.data.payUrl).not.toBe(payUrl)
    expect(await atGateway(before)).toEqual([
      ['void', 25_000],
      ['open', 15_000],
    ])
    expect(await record(id, { amountCents: 15_001 })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_EXCEEDS_DUE' },
    })
    expect(await record(id, { amountCents: 14_951 })).toMatchObject({
      status: 409,
      body: { code: 'REMAINDER_TOO_SMALL', details: { leftCents: 49 } },
    })
    const last = await record(id, { amountCents: 15_000 })
    expect(last).toMatchObject({
      status: 201,
      body: { data: { status: 'paid', amountPaidCents: 25_000, amountDueCents: 0, paymentMethod: 'cash' } },
    })
    expect((await atGateway(before)).map(([status]) => status)).toEqual(['void', 'paid'])
    expect(await record(id, { amountCents: 100 })).toMatchObject({ status: 409, body: { code: 'NOT_PENDING' } })
  })

  test('stays when the processor’s copy ends there: the rest is credited', async ({ env, raise, record, look }) => {
    const { id } = await raise()
    await record(id, { amountCents: 10_000, method: 'check' })
    await env.workers.settled()
    const copy = (await env.simulator.everything()).invoices.at(-1)!
    const answer = await fetch(`${env.simulator.url}/v1/invoices/${copy.id}/void`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    })
    expect(answer.status).toBe(200)
    const ended = await eventually(
      () => look(id),
      ({ status }) => status !== 'open',
    )
    expect(ended).toMatchObject({ status: 'paid', amountPaidCents: 10_000, creditedCents: 15_000, amountDueCents: 0 })
  })

  test('stays when the processor refuses what is still due, which is due without a pay link', async ({
    env,
    raise,
    record,
    look,
  }) => {
    const { id } = await raise()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    await record(id, { amountCents: 10_000, method: 'check' })
    const refused = await eventually(
      () => look(id),
      ({ status }) => status !== 'pending',
    )
    expect(refused).toMatchObject({ status: 'open', payUrl: null, amountPaidCents: 10_000, amountDueCents: 15_000 })
    expect(await record(id, { amountCents: 15_000 })).toMatchObject({ status: 201, body: { data: { status: 'paid' } } })
  })

  test('is not followed by a void or by other lines', async ({ env: { api, school }, raise, record }) => {
    const { id } = await raise()
    await record(id, { amountCents: 5_000 })
    const voided = await api.as(school.admin).post(`/invoices/${id}/void`, { reason: 'Wrong person' })
    expect([voided.statusCode, voided.json().code]).toEqual([409, 'PARTLY_PAID'])
    const changed = await api.as(school.admin).patch(`/invoices/${id}`, { items })
    expect([changed.statusCode, changed.json().code]).toEqual([409, 'PARTLY_PAID'])
  })

  test('is followed by a card payment of the rest; each goes back the way it came', async ({
    env: { api, school, workers },
    raise,
    record,
    look,
  }) => {
    const { id } = await raise()
    const { payUrl } = (await record(id, { amountCents: 10_000 })).body.data as { payUrl: string }
    await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    const paid = await eventually(
      () => look(id),
      ({ status }) => status === 'paid',
    )
    expect(paid).toMatchObject({
      amountPaidCents: 25_000,
      payments: [
        { amountCents: 10_000, method: 'cash' },
        { amountCents: 15_000, method: 'card', recordedBy: null },
      ],
    })
    const credit = async (amountCents: number, refund: string) => {
      const body = { amountCents, refund, reason: 'Cancelled' }
      const response = await api.as(school.admin).post(`/invoices/${id}/creditNotes`, body)
      return [response.statusCode, response.json().data?.refundCents ?? response.json().code]
    }
    expect((await credit(12_000, 'offline'))[0]).toBe(201)
    // Of the cash 10,000 went back; the other 2,000 of the credit are the payer's.
    expect(await look(id)).toMatchObject({ refundedCents: 10_000, creditCents: 2_000 })
    expect(await credit(500, 'offline')).toEqual([409, 'NOTHING_TO_REFUND'])
    expect((await credit(13_000, 'processor'))[0]).toBe(201)
    await workers.settled()
    expect(await look(id)).toMatchObject({ refundedCents: 23_000, creditCents: 2_000, amountDueCents: 0 })
  })

  test('is refused when received in the future or long before the invoice, and on what is settled on account', async ({
    env: { api, school },
    raise,
    record,
  }) => {
    const { id } = await raise()
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    expect(await record(id, { amountCents: 5_000, receivedAt: at(1) })).toMatchObject({ status: 400 })
    expect(await record(id, { amountCents: 5_000, receivedAt: at(-31) })).toMatchObject({ status: 400 })
    expect(await record(id, { amountCents: 5_000, receivedAt: at(-29) })).toMatchObject({ status: 201 })
    const ledger = { billingMode: 'ledger' }
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.renter.orgUserId}`, ledger)
    const charged = await raise(school.renter.orgUserId)
    expect(await record(charged.id, { amountCents: 5_000 })).toMatchObject({ status: 409 })
    expect(await record(999_999, { amountCents: 5_000 })).toMatchObject({ status: 404 })
  })
})

describe('a payment that is reversed (§Invoices)', () => {
  test('as of a bounced check is due again, and can be paid at the processor', async ({
    env,
    raise,
    record,
    reverse,
    atGateway,
  }) => {
    const before = (await env.simulator.everything()).invoices.length
    const { id } = await raise()
    const paid = (await record(id, { amountCents: 25_000, method: 'check' })).body.data as Invoice
    const [payment] = paid.payments
    const reversed = await reverse(id, payment!.id)
    expect(reversed).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'open',
          paid: false,
          paidAt: null,
          amountPaidCents: 0,
          amountDueCents: 25_000,
          payments: [{ amountCents: 25_000, reversedCents: 25_000 }],
        },
      },
    })
    expect(reversed.body.data.payUrl).not.toBeNull()
    expect((await atGateway(before)).at(-1)).toEqual(['open', 25_000])
    expect(await reverse(id, payment!.id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REVERSED' } })
    expect(await reverse(id, 999_999)).toMatchObject({ status: 404 })
  })

  test.for([
    ['after a part of 30 cents', 30, 24_970, 0],
    ['after a credit of all but 30 cents', 25_000, 0, 24_970],
  ] as const)(
    'and leaves less than the processor collects, %s, is open without a pay link, until the rest is paid at the desk',
    async ([, first, second, credited], { env, raise, record, reverse, atGateway, look }) => {
      const { api, school } = env
      const { id } = await raise()
      const paid = (await record(id, { amountCents: first, method: 'check' })).body.data as Invoice
      if (second) expect((await record(id, { amountCents: second })).body.data.status).toBe('paid')
      if (credited) {
        const credit = { amountCents: credited, reason: 'Cancelled', refund: 'none' }
        await expectOk(api, school.admin, 'POST', `/invoices/${id}/creditNotes`, credit)
      }
      const before = (await env.simulator.everything()).invoices.length
      expect(await reverse(id, paid.payments[0]!.id)).toMatchObject({
        status: 200,
        body: {
          data: {
            status: 'open',
            paid: false,
            payUrl: null,
            amountPaidCents: second,
            amountDueCents: 30,
            processor: {
              error: 'The amount due is less than the payment processor collects, so it must be paid another way.',
            },
          },
        },
      })
      expect(await atGateway(before)).toEqual([])
      expect(await look(id)).toMatchObject({ status: 'open', amountDueCents: 30 })
      expect(await record(id, { amountCents: 10 })).toMatchObject({ status: 409 })
      expect(await record(id, { amountCents: 30 })).toMatchObject({
        status: 201,
        body: { data: { status: 'paid', amountDueCents: 0 } },
      })
      expect(await atGateway(before)).toEqual([])
    },
  )

  test('and whose amount the processor refuses is due without a pay link', async ({ env, raise, record, reverse }) => {
    const { id } = await raise()
    const paid = (await record(id, { amountCents: 25_000, method: 'check' })).body.data as Invoice
    await env.workers.settled()
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    expect(await reverse(id, paid.payments[0]!.id)).toMatchObject({
      status: 200,
      body: { data: { status: 'open', payUrl: null, amountPaidCents: 0, amountDueCents: 25_000 } },
    })
    expect(await record(id, { amountCents: 25_000 })).toMatchObject({ status: 201, body: { data: { status: 'paid' } } })
  })

  test('is not one of the processor, or whose money was given back', async ({
    env: { api, school },
    raise,
    record,
    reverse,
    look,
  }) => {
    const card = await raise()
    await fetch(card.payUrl!, { method: 'POST', redirect: 'manual' })
    const { payments } = await eventually(
      () => look(card.id),
      ({ status }) => status === 'paid',
    )
    expect(await reverse(card.id, payments[0]!.id)).toMatchObject({ status: 409, body: { code: 'NOT_PENDING' } })
    const cash = await raise()
    const paid = (await record(cash.id, { amountCents: 25_000 })).body.data as Invoice
    const credit = { amountCents: 1_000, reason: 'Late', refund: 'offline' }
    await expectOk(api, school.admin, 'POST', `/invoices/${cash.id}/creditNotes`, credit)
    expect(await reverse(cash.id, paid.payments[0]!.id)).toMatchObject({ status: 409, body: { code: 'NOT_PENDING' } })
  })
})

describe('each payment past the processor (decision 32)', () => {
  const paidTwice = test
    .extend('paid', ({ raise, record }) => async () => {
      const { id } = await raise()
      await record(id, { amountCents: 10_000, method: 'check' })
      const { payments } = (await record(id, { amountCents: 15_000 })).body.data as Invoice
      return { id, check: payments[0]!.id, cash: payments[1]!.id }
    })
    .extend('credit', ({ env: { api, school } }) => async (id: number, amountCents: number, refund: string) => {
      const body = { amountCents, refund, reason: 'Cancelled' }
      return (await api.as(school.admin).post(`/invoices/${id}/creditNotes`, body)).statusCode
    })
    /** What went back of each payment, oldest first. */
    .extend('back', ({ env }) => async (id: number) => {
      const query = 'select refunded_cents as cents from payment where invoice_id = $1 order by id'
      return (await env.api.core.database.pool.query(query, [id])).rows.map(({ cents }) => cents)
    })

  paidTwice(
    'gives back at most what it brought, by hand and to the account together, when twenty credits are made at once',
    async ({ paid, credit, back, look }) => {
      const { id } = await paid()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, nth) => credit(id, 6_000, nth % 2 ? 'offline' : 'ledger')),
      )
      expect(answers.filter((status) => status === 201)).toHaveLength(4)
      expect(await look(id)).toMatchObject({ creditedCents: 24_000, refundedCents: 24_000 })
      // Of 24,000 the latest payment gave back its 15,000, and the one before it the rest.
      expect(await back(id)).toEqual([9_000, 15_000])
    },
  )

  paidTwice(
    'is held to that by a constraint, which twenty writers at once without a lock meet',
    async ({ env, paid, back }) => {
      const { id, cash } = await paid()
      const add = (column: string) =>
        env.api.core.database.pool.query(`update payment set ${column} = ${column} + 6000 where id = $1`, [cash]).then(
          () => 'written',
          (error: { constraint?: string }) => error.constraint,
        )
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => add('refunded_cents')))
      expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(2)
      expect(new Set(outcomes)).toEqual(new Set(['written', 'payment_refunded']))
      expect(await back(id)).toEqual([0, 12_000])
    },
  )

  paidTwice(
    'hands what it gave back to the others when it is reversed, while they have as much',
    async ({ paid, credit, back, reverse }) => {
      const { id, check, cash } = await paid()
      expect(await credit(id, 3_000, 'offline')).toBe(201)
      expect(await back(id)).toEqual([0, 3_000])
      expect(await reverse(id, cash)).toMatchObject({ status: 200, body: { data: { amountDueCents: 15_000 } } })
      expect(await back(id)).toEqual([3_000, 0])
      expect(await reverse(id, check)).toMatchObject({ status: 409, body: { code: 'NOT_PENDING' } })
    },
  )

  paidTwice('has nothing given back when a second admin declines the refund', async ({ env, paid, credit, back }) => {
    const { api, school } = env
    const limit = (cents: number | null) => setRefundLimit(api, school, cents)
    const { id } = await paid()
    await credit(id, 14_000, 'offline')
    await limit(1_000)
    await credit(id, 4_000, 'ledger')
    expect(await back(id)).toEqual([3_000, 15_000])
    await expectOk(api, school.owner, 'POST', `/invoices/${id}/refund`, { approved: false })
    expect(await back(id)).toEqual([0, 14_000])
    await limit(null)
  })
})

describe('money in an admin’s own favour (§Invoices)', () => {
  test('is mailed to all owners: a payment or credit of the own invoice, the own refund of cash, the own account', async ({
    env: { api, school, workers },
    raise,
    record,
  }) => {
    const { admin, owner } = school
    const told = () =>
      workers.mails(owner.email).filter(({ subject }) => subject.endsWith('money in somebody’s own favour'))
    await workers.settled()
    const before = told().length
    const own = await raise(admin.orgUserId)
    await record(own.id, { amountCents: 5_000 })
    await expectOk(api, admin, 'POST', `/invoices/${own.id}/creditNotes`, {
      amountCents: 1_000,
      reason: 'Late',
      refund: 'none',
    })
    const other = await raise()
    await record(other.id, { amountCents: 25_000 })
    await expectOk(api, admin, 'POST', `/invoices/${other.id}/creditNotes`, {
      amountCents: 2_000,
      reason: 'Late',
      refund: 'offline',
    })
    await expectOk(api, admin, 'POST', `/invoices/${other.id}/creditNotes`, {
      amountCents: 1_500,
      reason: 'Late',
      refund: 'ledger',
    })
    const [credited] = await expectOk<object[]>(api, admin, 'GET', '/audit?action=invoice.credited&limit=1')
    expect(credited).toMatchObject({ after: { own: false, ownPayment: true } })
    const posting = { kind: 'adjustment', amountCents: 700, memo: 'Fuel' }
    await expectOk(api, admin, 'POST', `/orgUsers/${admin.orgUserId}/ledger`, posting)
    const marked = await raise(admin.orgUserId)
    await expectOk(api, admin, 'PATCH', `/invoices/${marked.id}`, { paid: true, paymentMethod: 'cash' })
    const [recorded] = await expectOk<object[]>(api, admin, 'GET', '/audit?action=invoice.payment_recorded&limit=1')
    expect(recorded).toMatchObject({ after: { amountCents: 25_000, method: 'cash', own: true } })
    const debit = { kind: 'adjustment', amountCents: -900, memo: 'Fuel' }
    const charged = await expectOk<{ id: number }>(api, admin, 'POST', `/orgUsers/${admin.orgUserId}/ledger`, debit)
    await expectOk(api, admin, 'POST', `/ledger/${charged.id}/reverse`, { reason: 'Somebody else’s' })
    const [reversed] = await expectOk<object[]>(api, admin, 'GET', '/audit?action=ledger.reversed&limit=1')
    expect(reversed).toMatchObject({ after: { amountCents: 900, own: true } })
    await workers.settled()
    const amounts = told()
      .slice(before)
      .map(({ text }) => /\$\d+\.\d\d/.exec(text)?.[0])
    expect(amounts.sort()).toEqual(['$10.00', '$15.00', '$20.00', '$250.00', '$50.00', '$7.00', '$9.00'])
  })
})
