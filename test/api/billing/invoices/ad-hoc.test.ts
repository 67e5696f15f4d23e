import { describe, expect } from 'vitest'
import type { BillingEnv } from '../../../support/billing.ts'
import { buildMember, buildSchool, type School } from '../../../support/builders.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

interface Given {
  env: BillingEnv
  school: School
}

const test = billingTest()
  .extend('school', { scope: 'file' }, ({ env }) => env.school)
  .extend('raise', ({ env, school }) => (body: object, who = school.admin) => {
    return env.api.as(who).post('/invoices', body)
  })
  .extend('countInvoices', ({ env }) => async (): Promise<number> => {
    const { rows } = await env.api.core.database.pool.query('select count(*)::int as count from invoice')
    return rows[0].count
  })
  .extend('customer', ({ school }) => () => ({ orgUserId: school.student.orgUserId }))

test.afterEach(({ env }) => env.simulator.clearFaults())

const books = { description: 'Books', unitPrice: 4500 }

describe('an invoice for something other than a flight (§Invoices, POST /invoices)', () => {
  test('is sent to a member with its lines and can be paid', async ({ env, school, raise }) => {
    const answer = await raise({
      customer: { orgUserId: school.student.orgUserId },
      memo: 'Ground school',
      items: [
        books,
        { description: 'Headset', quantity: 2.5, unit: 'hour', unitPrice: 333 },
        { description: 'Discount', unitPrice: -500 },
      ],
    })
    expect(answer.statusCode, answer.body).toBe(201)
    const { data } = answer.json()
    expect(data).toMatchObject({
      status: 'open',
      settlement: 'processor',
      reservation: null,
      customer: { orgUserId: school.student.orgUserId, name: school.student.name, email: school.student.email },
      guest: null,
      memo: 'Ground school',
      items: [
        { description: 'Books', quantity: 1, unit: 'piece', unitPrice: 4500, amountCents: 4500 },
        // 2.5 × 3.33 is 8.325: half up.
        { description: 'Headset', quantity: 2.5, unit: 'hour', unitPrice: 333, amountCents: 833 },
        { description: 'Discount', quantity: 1, unit: 'piece', unitPrice: -500, amountCents: -500 },
      ],
      totalCents: 4833,
      amountDueCents: 4833,
      dueAt: null,
      overdue: false,
    })
    expect(data.number).toBeGreaterThan(0)
    const { invoices } = await env.simulator.everything()
    expect(invoices.find(({ id }) => id === data.processor.invoiceId)).toMatchObject({ status: 'open', total: 4833 })
  })

  test('is sent to a guest, and the same address is the same guest', async ({ raise }) => {
    const guest = { name: 'Gil Moss', email: 'Gil@Example.com', phone: '+1 555 0100' }
    const first = (await raise({ guest, items: [books] })).json().data
    expect(first).toMatchObject({
      customer: null,
      guest: { name: 'Gil Moss', email: 'gil@example.com', phone: '+1 555 0100' },
    })
    const second = (await raise({ guest: { name: 'G. Moss', email: 'gil@example.com' }, items: [books] })).json().data
    expect(second.guest.id).toBe(first.guest.id)
    const third = (await raise({ guest: { guestId: first.guest.id }, items: [books] })).json().data
    expect(third.guest).toEqual(second.guest)
  })

  test('is due at dueAt, after dueIn days, by the settings, or never', async ({ env, school, raise }) => {
    const customer = { orgUserId: school.student.orgUserId }
    const due = async (terms: object) => (await raise({ customer, items: [books], ...terms })).json().data.dueAt
    expect(await due({ dueAt: '2031-01-31T12:00:00-05:00' })).toBe('2031-01-31T17:00:00.000Z')
    const inDays = Date.parse(await due({ dueIn: 10 })) - Date.now()
    expect(inDays / 86_400_000).toBeCloseTo(10, 2)
    await expectOk(env.api, school.admin, 'PATCH', '/organizations', { settings: { invoiceDueDays: 30 } })
    expect((Date.parse(await due({})) - Date.now()) / 86_400_000).toBeCloseTo(30, 2)
    expect(await due({ dueAt: null })).toBeNull()
    await expectOk(env.api, school.admin, 'PATCH', '/organizations', { settings: { invoiceDueDays: null } })
  })

  test('debits the ledger of a member in ledger mode at once', async ({ env, school, raise }) => {
    const member = await buildMember(env.api, school.organizationId, ['renter'])
    await expectOk(env.api, school.admin, 'PATCH', `/orgUsers/${member.orgUserId}`, { billingMode: 'ledger' })
    const { data } = (await raise({ customer: { orgUserId: member.orgUserId }, items: [books] })).json()
    expect(data).toMatchObject({ status: 'paid', settlement: 'ledger', paymentMethod: 'ledger', payUrl: null })
    expect(await expectOk(env.api, member, 'GET', `/orgUsers/${member.orgUserId}/ledger`)).toMatchObject([
      { kind: 'invoice_charge', amountCents: -4500, balanceCents: -4500, invoiceId: data.id, reservationId: null },
    ])
  })

  test('is raised once, however often it is sent under one key', async ({ env, school, countInvoices }) => {
    const before = await countInvoices()
    const send = () =>
      env.api.call('POST', '/invoices', {
        token: school.admin.token,
        body: { customer: { orgUserId: school.student.orgUserId }, items: [books] },
        headers: { 'idempotency-key': 'books-1' },
      })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1)
    expect(await countInvoices()).toBe(before + 1)
  })
})

describe('an invoice that the processor', () => {
  test('refuses is answered with 400, and nothing is kept', async ({ env, school, raise }) => {
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: '402' })
    const refused = await raise({ customer: { orgUserId: school.student.orgUserId }, items: [books] })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toMatch(/^Nothing was billed\./)
    const list = await expectOk<{ status: string }[]>(env.api, school.admin, 'GET', '/invoices')
    expect(list.map(({ status }) => status)).not.toContain('failed')
  })

  test('takes too long to answer is answered with 200 and pending, and is raised later', async ({
    env,
    school,
    impatient,
  }) => {
    await env.simulator.fault({ match: 'POST /v1/invoices', kind: 'hang' })
    const body = { customer: { orgUserId: school.student.orgUserId }, items: [books] }
    const answer = await impatient.as(school.admin).post('/invoices', body)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ status: 'pending', number: null, payUrl: null })
    expect(answer.json().warnings).toHaveLength(1)
    await env.simulator.met()
    await env.simulator.clearFaults()
    await env.workers.settled()
    const later = await expectOk(env.api, school.admin, 'GET', `/invoices/${answer.json().data.id}`)
    expect(later).toMatchObject({ status: 'open' })
  })
})

describe('an invoice request that is refused before anything is written', () => {
  test.for<[string, (given: Given) => object | Promise<object>, string]>([
    ['nobody to pay', () => ({ items: [books] }), 'customer'],
    [
      'two to pay',
      ({ school }) => ({
        customer: { orgUserId: school.student.orgUserId },
        guest: { name: 'x', email: 'x@example.com' },
        items: [books],
      }),
      'customer',
    ],
    ['a guest without an address', () => ({ guest: { name: 'Gil' }, items: [books] }), 'guest.email'],
    ['no lines', ({ school }) => ({ customer: { orgUserId: school.student.orgUserId } }), 'items'],
    [
      'an empty list of lines',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [] }),
      'items',
    ],
    [
      'a line without a price',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [{ description: 'x' }] }),
      'items.0.unitPrice',
    ],
    [
      'half a cent',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [{ ...books, unitPrice: 1.5 }] }),
      'items.0.unitPrice',
    ],
    [
      'no quantity',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [{ ...books, quantity: 0 }] }),
      'items.0.quantity',
    ],
    [
      'a quantity of three decimals',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [{ ...books, quantity: 0.125 }] }),
      'items.0.quantity',
    ],
    [
      'a line without words',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [books, { unitPrice: 1 }] }),
      'items.1.description',
    ],
    [
      'less than 50 cents',
      ({ school }) => ({ customer: { orgUserId: school.student.orgUserId }, items: [{ ...books, unitPrice: 49 }] }),
      'items',
    ],
    [
      'discounts that outweigh it',
      ({ school }) => ({
        customer: { orgUserId: school.student.orgUserId },
        items: [books, { ...books, unitPrice: -9000 }],
      }),
      'items',
    ],
    [
      'more than the processor takes',
      ({ school }) => ({
        customer: { orgUserId: school.student.orgUserId },
        items: [{ ...books, quantity: 2, unitPrice: 99_999_999 }],
      }),
      'items',
    ],
    [
      'two due dates',
      ({ school }) => ({
        customer: { orgUserId: school.student.orgUserId },
        items: [books],
        dueAt: '2031-01-01T00:00:00Z',
        dueIn: 3,
      }),
      'dueIn',
    ],
    [
      'a local due date',
      ({ school }) => ({
        customer: { orgUserId: school.student.orgUserId },
        items: [books],
        dueAt: '2031-01-01T00:00:00',
      }),
      'dueAt',
    ],
    [
      'somebody who is nowhere',
      () => ({ customer: { orgUserId: 2_147_483_647 }, items: [books] }),
      'customer.orgUserId',
    ],
    ['a guest who is nowhere', () => ({ guest: { guestId: 2_147_483_647 }, items: [books] }), 'guest.guestId'],
    [
      'a member of another school',
      async ({ env }) => ({
        customer: { orgUserId: (await buildSchool(env.api)).student.orgUserId },
        items: [books],
      }),
      'customer.orgUserId',
    ],
  ])('has an error in its body: %s', async ([_, body, field], { env, school, raise, countInvoices }) => {
    const before = await countInvoices()
    const refused = await raise(await body({ env, school }))
    expect([refused.statusCode, refused.json().message.split(':')[0]], refused.body).toEqual([400, field])
    expect(await countInvoices()).toBe(before)
  })

  test('comes from somebody who is not an admin, or from an admin whose address is not confirmed', async ({
    env,
    school,
    raise,
    customer,
  }) => {
    const body = { customer: customer(), items: [books] }
    for (const who of [school.dispatcher, school.instructor, school.student]) {
      expect((await raise(body, who)).statusCode).toBe(403)
    }
    const admin = await buildMember(env.api, school.organizationId, ['admin'])
    await env.api.core.database.db
      .updateTable('account')
      .set({ email_verified_at: null })
      .where('id', '=', admin.accountId)
      .execute()
    const refused = await raise(body, admin)
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  })
})
