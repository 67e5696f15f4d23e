import { describe, expect } from 'vitest'
import { type Member, writeSettings } from '../../support/builders.ts'
import { schoolTest } from '../../support/fixtures.ts'
import { closedOutFlight, expectOk, setRates } from '../../support/flights.ts'
import { giveDesk } from '../../support/grants.ts'
import { buildInvoice } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'

/** A school in New York, whose dispatcher is a cashier. */
const test = schoolTest({ school: { timeZoneName: 'America/New_York' } })
  .extend('cashier', { auto: true }, async ({ api, school }) => {
    await giveDesk(api, school, school.dispatcher, 'cashier')
    return school.dispatcher
  })
  .extend('invoice', ({ api, school }) => (payer: Member | { guestId: number }, totalCents: number, number: number) => {
    return buildInvoice(api, school, { payer, totalCents, number })
  })
  .extend('pay', ({ api, cashier }) => async (id: number, amountCents: number, more: object = {}) => {
    const response = await api.as(cashier).post(`/invoices/${id}/payments`, { amountCents, method: 'cash', ...more })
    const { data, code, details } = response.json()
    return { status: response.statusCode, data, code, leftCents: details?.leftCents }
  })
  .extend('deposit', ({ api, cashier }) => async (to: Member, amountCents: number, kind = 'deposit') => {
    const response = await api.as(cashier).post(`/orgUsers/${to.orgUserId}/ledger`, { kind, amountCents })
    const { code, details } = response.json()
    return { status: response.statusCode, code, leftCents: details?.leftCents }
  })

describe('the limit of a cashier (§22.2)', () => {
  test('is for the payments and deposits of one payer and local day, and starts again at local midnight', async ({
    api,
    school,
    invoice,
    pay,
    deposit,
  }) => {
    const { student, renter } = school
    await writeSettings(api, school.organizationId, { cashierMaxCents: 10_000 })
    api.clock.now = new Date('2026-12-02T04:58:00Z') // 23:58 in New York
    expect((await pay(await invoice(student, 9_000, 41), 9_000)).status).toBe(201)
    expect(await deposit(student, 1_001)).toEqual({ status: 403, code: 'ABOVE_CASHIER_LIMIT', leftCents: 1_000 })
    expect((await deposit(student, 1_000)).status).toBe(201)
    expect((await deposit(renter, 10_000)).status).toBe(201)
    const more = await invoice(student, 5_000, 42)
    expect(await pay(more, 5_000)).toMatchObject({ status: 403, code: 'ABOVE_CASHIER_LIMIT', leftCents: 0 })
    api.clock.now = new Date('2026-12-02T05:01:00Z')
    expect((await pay(more, 5_000)).status).toBe(201)
  })

  test('is five times that for all payers, none when it is null, and none for admins', async ({
    api,
    school,
    deposit,
  }) => {
    const { student, renter, instructor, technician, admin } = school
    await writeSettings(api, school.organizationId, { cashierMaxCents: 1_000 })
    for (const to of [student, renter, instructor, technician, admin])
      expect((await deposit(to, 1_000)).status).toBe(201)
    expect(await deposit(school.owner, 1)).toEqual({ status: 403, code: 'ABOVE_CASHIER_LIMIT', leftCents: 0 })
    const body = { kind: 'deposit', amountCents: 5_000 }
    await expectOk(api, admin, 'POST', `/orgUsers/${student.orgUserId}/ledger`, body)
    await writeSettings(api, school.organizationId, { cashierMaxCents: null })
    expect((await deposit(student, 500_000)).status).toBe(201)
  })

  test('is 2,000.00 by default, and from 1.00 to 100,000.00', async ({ api, school, deposit }) => {
    expect(await deposit(school.student, 200_001)).toMatchObject({ status: 403, leftCents: 200_000 })
    const set = async (cashierMaxCents: number | null) =>
      (await api.as(school.owner).patch('/organizations', { settings: { cashierMaxCents } })).statusCode
    expect(await Promise.all([set(99), set(10_000_001)])).toEqual([400, 400])
    expect([await set(100), await set(10_000_000), await set(null)]).toEqual([200, 200, 200])
  })

  test('holds when 64 deposits of one payer race, and the receipts have no gaps', async ({ api, school, deposit }) => {
    await writeSettings(api, school.organizationId, { cashierMaxCents: 10_000 })
    const answers = await Promise.all(Array.from({ length: 64 }, () => deposit(school.student, 1_500)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
    expect(answers.filter(({ code }) => code === 'ABOVE_CASHIER_LIMIT')).toHaveLength(58)
    const { rows } = await api.core.database.pool.query(
      'select number from receipt where organization_id = $1 order by number',
      [school.organizationId],
    )
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('a cashier (§22.1)', () => {
  test('takes nothing for themself', async ({ api, school, cashier, invoice, pay, deposit }) => {
    const own = await invoice(cashier, 5_000, 51)
    expect(await pay(own, 5_000)).toMatchObject({ status: 403, code: 'OWN_MONEY' })
    expect(await deposit(cashier, 5_000)).toMatchObject({ status: 403, code: 'OWN_MONEY' })
    const items = [{ description: 'Headset', unitPrice: 4_500 }]
    const written = await api.as(cashier).post('/invoices', { customer: { orgUserId: cashier.orgUserId }, items })
    expect(written.json().code).toBe('OWN_MONEY')
    await giveDesk(api, school, school.instructor, 'cashier')
    await setRates(api, school)
    const flight = await closedOutFlight(api, school)
    const billed = await api.as(school.instructor).post(`/reservations/${flight}/invoices`)
    expect([billed.statusCode, billed.json().code]).toEqual([403, 'OWN_MONEY'])
    const [raised] = await expectOk<{ id: number }[]>(api, cashier, 'POST', `/reservations/${flight}/invoices`)
    for (const method of ['cash', 'ledger']) {
      const paid = await api
        .as(school.instructor)
        .post(`/invoices/${raised!.id}/payments`, { amountCents: 1_000, method })
      expect([paid.statusCode, paid.json().code]).toEqual([403, 'OWN_MONEY'])
    }
    const { data } = await pay(raised!.id, 1_000)
    const reversal = `/invoices/${raised!.id}/payments/${data.payments[0].id}/reverse`
    const reversed = await api.as(school.instructor).post(reversal, { reason: 'Typed twice' })
    expect([reversed.statusCode, reversed.json().code]).toEqual([403, 'OWN_MONEY'])
  })

  test('records payments of today, and reverses own ones of today, with a reason', async ({
    api,
    school,
    cashier,
    invoice,
    pay,
  }) => {
    const { student, admin } = school
    api.clock.now = new Date('2026-12-02T15:00:00Z')
    const id = await invoice(student, 5_000, 61)
    expect((await pay(id, 5_000, { receivedAt: '2026-12-02T04:59:59Z' })).status).toBe(400)
    const { data } = await pay(id, 5_000, { receivedAt: '2026-12-02T05:00:00Z' })
    expect(data.payments[0]).toMatchObject({ receiptNumber: 1, recordedBy: { orgUserId: cashier.orgUserId } })
    const byAdmin = await invoice(student, 5_000, 62)
    const { payments } = await expectOk<{ payments: { id: number; receiptNumber: number | null }[] }>(
      api,
      admin,
      'POST',
      `/invoices/${byAdmin}/payments`,
      { amountCents: 5_000, method: 'cash' },
    )
    expect(payments[0]?.receiptNumber).toBe(2)
    const reverse = async (of: number, paymentId: number, body: object = { reason: 'Typed twice' }) =>
      (await api.as(cashier).post(`/invoices/${of}/payments/${paymentId}/reverse`, body)).statusCode
    expect(await reverse(byAdmin, payments[0]!.id)).toBe(403)
    expect(await reverse(id, data.payments[0].id, {})).toBe(400)
    api.clock.now = new Date('2026-12-03T05:00:00Z')
    expect(await reverse(id, data.payments[0].id)).toBe(403)
    api.clock.now = new Date('2026-12-03T04:59:00Z')
    expect(await reverse(id, data.payments[0].id)).toBe(200)
    expect(await expectOk(api, admin, 'GET', `/invoices/${id}`)).toMatchObject({
      amountDueCents: 5_000,
      payments: [{ reversedBy: { orgUserId: cashier.orgUserId }, reversalReason: 'Typed twice' }],
    })
    expect(await reverse(id, data.payments[0].id)).toBe(409)
  })

  test.for([
    ['of 25 hours', '2026-11-01T04:00:00Z', '2026-11-02T04:59:00Z', '2026-11-02T05:00:00Z'],
    ['of 23 hours', '2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z', '2026-03-09T04:00:00Z'],
  ] as const)(
    'reverses a payment until the end of a local day %s, and no later',
    async ([, first, last, next], { api, school, cashier, invoice, pay }) => {
      const at = async (time: string, { id, paymentId }: { id: number; paymentId: number }) => {
        api.clock.now = new Date(time)
        const path = `/invoices/${id}/payments/${paymentId}/reverse`
        return (await api.as(cashier).post(path, { reason: 'Typed twice' })).statusCode
      }
      api.clock.now = new Date(first)
      const paid: { id: number; paymentId: number }[] = []
      for (const number of [85, 86]) {
        const id = await invoice(school.student, 5_000, number)
        paid.push({ id, paymentId: (await pay(id, 5_000)).data.payments[0].id })
      }
      expect([await at(last, paid[0]!), await at(next, paid[1]!)]).toEqual([200, 403])
    },
  )

  test('reverses a payment once, twenty times at once', async ({ api, school, cashier, invoice, pay }) => {
    const id = await invoice(school.student, 5_000, 87)
    const { data } = await pay(id, 5_000)
    const path = `/invoices/${id}/payments/${data.payments[0].id}/reverse`
    const all = await Promise.all(
      Array.from({ length: 20 }, () => api.as(cashier).post(path, { reason: 'Typed twice' })),
    )
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await expectOk(api, school.admin, 'GET', `/invoices/${id}`)).toMatchObject({ amountDueCents: 5_000 })
  })

  test('reverses two payments a day; the third waits for an admin as a to-do, and the payment stands', async ({
    api,
    school,
    cashier,
    invoice,
    pay,
  }) => {
    const { student, admin } = school
    const paid: { id: number; paymentId: number }[] = []
    for (const number of [81, 82, 83, 84]) {
      const id = await invoice(student, 5_000, number)
      paid.push({ id, paymentId: (await pay(id, 5_000)).data.payments[0].id })
    }
    const reverse = ({ id, paymentId }: { id: number; paymentId: number }, by = cashier) =>
      api.as(by).post(`/invoices/${id}/payments/${paymentId}/reverse`, { reason: 'Typed twice' })
    const three = await Promise.all(paid.slice(0, 3).map((one) => reverse(one)))
    expect(three.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 202])
    const waiting = paid[three.findIndex(({ statusCode }) => statusCode === 202)]!
    const { status, payments } = three.find(({ statusCode }) => statusCode === 202)!.json().data
    expect([status, payments]).toMatchObject(['paid', [{ reversedAt: null, reversalAskedAt: expect.any(String) }]])
    expect((await reverse(waiting)).json().code).toBe('NOT_PENDING')
    const todo = async () =>
      (await expectOk<{ kind: string; action: { path: string } }[]>(api, admin, 'GET', '/todo/me'))
        .filter(({ kind }) => kind === 'reverse_payment')
        .map(({ action }) => action.path)
    expect(await todo()).toEqual([`/invoices/${waiting.id}/payments/${waiting.paymentId}/reverse`])
    expect((await reverse(waiting, admin)).statusCode).toBe(200)
    expect(await todo()).toEqual([])
    await writeSettings(api, school.organizationId, { refundApprovalCents: 4_999 })
    api.clock.now = new Date(api.clock.now.getTime() + 1_000)
    expect((await reverse(paid[3]!)).statusCode).toBe(202)
  })

  test('writes lines above 0, posts deposits, and sells active packages to others', async ({
    api,
    school,
    cashier,
    deposit,
  }) => {
    const { student, admin } = school
    const items = [
      { description: 'Headset', unitPrice: 4_500 },
      { description: 'Discount', unitPrice: -500 },
    ]
    const discounted = await api.as(cashier).post('/invoices', { customer: { orgUserId: student.orgUserId }, items })
    expect([discounted.statusCode, discounted.json().message]).toEqual([
      400,
      'items.1.unitPrice: a cashier writes lines above 0 only',
    ])
    expect((await deposit(student, 5_000, 'adjustment')).status).toBe(403)
    await api.as(admin).patch(`/orgUsers/${student.orgUserId}`, { billingMode: 'ledger' })
    expect((await deposit(student, 90_000)).status).toBe(201)
    const body = { name: 'Credit', priceCents: 40_000, grant: { amountCents: 40_000 } }
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', body)
    const sell = (orgUserId: number) => api.as(cashier).post(`/packages/${id}/purchases`, { orgUserId })
    expect((await sell(student.orgUserId)).statusCode).toBe(201)
    await api.as(admin).patch(`/packages/${id}`, { active: false })
    expect((await sell(student.orgUserId)).json().code).toBe('PACKAGE_INACTIVE')
  })

  test('invoices the flights of one day, without those that they are on', async ({ api, school, cashier }) => {
    const start = async (filter: object, by = cashier) =>
      (await api.as(by).post('/invoices/batch', { filter, dryRun: true })).statusCode
    const days = (endedAfter: string, endedBefore: string) => ({ endedAfter, endedBefore })
    expect(await start({ endedBefore: '2026-11-24' })).toBe(400)
    expect(await start(days('2026-11-01', '2026-11-02'))).toBe(202) // 25 hours: the clocks go back
    expect(await start(days('2026-11-22', '2026-11-24'))).toBe(400)
    expect(await start(days('2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z'))).toBe(202)
    expect(await start(days('2026-11-24T00:00:00Z', '2026-11-25T00:00:01Z'))).toBe(400)
    expect(await start(days('2026-11-24', '2026-11-24'), school.admin)).toBe(400)
    expect(await start({ endedBefore: '2026-11-24' }, school.admin)).toBe(202)
  })

  test('closes a drawer with own rows alone, and reads accounts, which is audited once a day', async ({
    api,
    school,
    cashier,
    invoice,
    pay,
  }) => {
    const { student, admin } = school
    const mine = await invoice(student, 5_000, 71)
    const { data } = await pay(mine, 5_000)
    const other = await invoice(student, 7_000, 72)
    await expectOk(api, admin, 'POST', `/invoices/${other}/payments`, { amountCents: 7_000, method: 'check' })
    await expectOk(api, cashier, 'POST', `/invoices/${mine}/payments/${data.payments[0].id}/reverse`, {
      reason: 'Typed twice',
    })
    const report = (by: Member, recordedBy: string) =>
      expectOk(api, by, 'GET', `/reports/payments?recordedBy=${recordedBy}`)
    const own = [{ orgUserId: cashier.orgUserId, payments: 1, amountCents: 5_000, reversedCents: 5_000, netCents: 0 }]
    expect(await report(cashier, 'me')).toMatchObject(own)
    expect(await report(cashier, String(admin.orgUserId))).toMatchObject(own)
    expect(await report(admin, String(cashier.orgUserId))).toMatchObject(own)
    expect(await report(admin, 'me')).toMatchObject([{ orgUserId: admin.orgUserId, netCents: 7_000 }])
    for (const path of ['statement', 'ledger', 'statement']) {
      await expectOk(api, cashier, 'GET', `/orgUsers/${student.orgUserId}/${path}`)
    }
    await expectOk(api, cashier, 'GET', '/reports/balances')
    await expectOk(api, admin, 'GET', `/orgUsers/${student.orgUserId}/statement`)
    const { rows } = await api.core.database.pool.query(
      `select kind, membership_id, subject_id from event where organization_id = $1 and kind like '%.read' order by kind`,
      [school.organizationId],
    )
    expect(rows).toEqual([
      { kind: 'balances.read', membership_id: cashier.orgUserId, subject_id: school.organizationId },
      { kind: 'ledger.read', membership_id: cashier.orgUserId, subject_id: student.orgUserId },
    ])
  })

  test('sees in the drawer the deposits that they took, and what an admin reversed of it', async ({
    api,
    school,
    cashier,
    invoice,
    pay,
    deposit,
  }) => {
    const { student, admin } = school
    const id = await invoice(student, 5_000, 73)
    const { data } = await pay(id, 5_000)
    await pay(await invoice(student, 2_000, 74), 2_000)
    await deposit(student, 3_000)
    const [entry] = await expectOk<{ id: number }[]>(api, admin, 'GET', `/orgUsers/${student.orgUserId}/ledger`)
    await expectOk(api, admin, 'POST', `/orgUsers/${student.orgUserId}/ledger`, { kind: 'deposit', amountCents: 9_000 })
    const report = async (by: Member, window = '') => {
      const rows = await expectOk<Record<string, unknown>[]>(api, by, 'GET', `/reports/payments${window}`)
      return rows.map(({ orgUserId, method, payments, amountCents, reversedCents, reversedByOthersCents, netCents }) =>
        [orgUserId, method, payments, amountCents, reversedCents, reversedByOthersCents, netCents].join(' '),
      )
    }
    const of = cashier.orgUserId
    expect(await report(cashier)).toEqual([`${of} cash 2 7000 0 0 7000`, `${of} deposit 1 3000 0 0 3000`])
    const reason = { reason: 'Counted again' }
    await expectOk(api, admin, 'POST', `/invoices/${id}/payments/${data.payments[0].id}/reverse`, reason)
    await expectOk(api, admin, 'POST', `/ledger/${entry!.id}/reverse`, reason)
    expect(await report(cashier)).toEqual([`${of} cash 2 7000 0 5000 7000`, `${of} deposit 1 3000 0 0 3000`])
    expect((await report(admin)).filter((row) => !row.startsWith(`${of} `))).toEqual([
      `${admin.orgUserId} cash 0 0 5000 0 -5000`,
      `${admin.orgUserId} deposit 1 9000 0 0 9000`,
    ])
    // The entry of the account was reversed at the time of the database.
    const days = [-1, 1].map((day) => new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10))
    const now = `?startDate=${days[0]}&endDate=${days[1]}`
    expect(await report(cashier, now)).toEqual([`${of} deposit 0 0 0 3000 0`])
    expect(await report(admin, `${now}&recordedBy=me`)).toEqual([`${admin.orgUserId} deposit 0 0 3000 0 -3000`])
  })

  test('costs those with the role and those without a grant’s role no read', async ({ api, school, cashier }) => {
    const asked = async (who: Member) => {
      const { statements } = await countStatements(api, () => api.as(who).get('/invoices'))
      return statements.filter((statement) => statement.includes('desk_grant')).length
    }
    expect([await asked(school.admin), await asked(school.student), await asked(cashier)]).toEqual([0, 0, 1])
  })
})
