import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { startBilling } from '../../../support/billing.ts'
import { buildMember, buildMembers, type Member } from '../../../support/builders.ts'
import { eventually } from '../../../support/eventually.ts'
import { billingTest } from '../../../support/fixtures.ts'
import { closedOutFlight, expectOk, flownBy } from '../../../support/flights.ts'
import { pdfText } from '../../../support/pdf-text.ts'

interface Invoice {
  id: number
  number: number | null
  status: string
  totalCents: number
  payUrl: string
  processor: { invoiceId: string } | null
  items: { id: number; kind: string; amountCents: number }[]
}

interface Purchase {
  id: number
  status: string
  remainingCents: number | null
  remainingDeciHours: number | null
  expiresAt: string | null
  invoice: { id: number; status: string; payUrl: string }
}

// A flight of `flownBy` is 1.4 h × $180 = 25,200 and 1.4 h × $60 = 8,400, together 33,600.
const tenHours = { name: 'Ten hours', priceCents: 160_000, grant: { deciHours: 100 }, lineKinds: ['aircraft'] }
const credit = { name: 'Credit', priceCents: 100_000, grant: { amountCents: 110_000 } }

const test = billingTest()
  .extend(
    'sell',
    ({ env: { api, school } }) =>
      (body: object) =>
        expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', body),
  )
  .extend('buy', ({ env: { api } }) => (packageId: number, who: Member, by: Member = who) => {
    return expectOk<Purchase>(api, by, 'POST', `/packages/${packageId}/purchases`, { orgUserId: who.orgUserId })
  })
  .extend('bought', ({ env: { api, school } }) => async (who: Member) => {
    return expectOk<Purchase[]>(api, school.admin, 'GET', `/orgUsers/${who.orgUserId}/packages`)
  })
  .extend(
    'look',
    ({ env: { api, school } }) =>
      (id: number) =>
        expectOk<Invoice>(api, school.admin, 'GET', `/invoices/${id}`),
  )
  .extend('paid', ({ buy, bought, look }) => async (packageId: number, who: Member) => {
    const { id, invoice } = await buy(packageId, who)
    await fetch(invoice.payUrl, { method: 'POST', redirect: 'manual' })
    await eventually(
      () => look(invoice.id),
      ({ status }) => status === 'paid',
    )
    return (await bought(who)).find((one) => one.id === id)!
  })
  .extend(
    'bill',
    ({ env: { api, school } }) =>
      (flight: number) =>
        expectOk<Invoice[]>(api, school.admin, 'POST', `/reservations/${flight}/invoices`),
  )

describe('packages (§Invoices, packages)', () => {
  test('are sold by admins and bought by members, who see what is sold', async ({
    env: { api, school },
    sell,
    buy,
  }) => {
    const made = await sell({ ...tenHours, expiresAfterDays: 365 })
    expect(made).toMatchObject({ ...tenHours, resourceIds: [], expiresAfterDays: 365, active: true })
    const retired = await sell({ ...credit, active: false })
    const listed = async (who: Member) =>
      (await expectOk<{ id: number }[]>(api, who, 'GET', '/packages')).map(({ id }) => id)
    expect(await listed(school.student)).toEqual([made.id])
    expect(await listed(school.admin)).toEqual([retired.id, made.id])
    expect(await buy(made.id, school.student)).toMatchObject({
      packageId: made.id,
      orgUserId: school.student.orgUserId,
      status: 'unpaid',
      remainingDeciHours: 100,
      remainingCents: null,
      expiresAt: null,
      invoice: { status: 'open', totalCents: 160_000, payUrl: expect.stringContaining('http') },
    })
    const inactive = await api.as(school.student).post(`/packages/${retired.id}/purchases`, school.student)
    expect([inactive.statusCode, inactive.json().code]).toEqual([409, 'PACKAGE_INACTIVE'])
    const other = await api
      .as(school.renter)
      .post(`/packages/${made.id}/purchases`, { orgUserId: school.student.orgUserId })
    expect(other.statusCode).toBe(403)
    expect((await api.as(school.renter).get(`/orgUsers/${school.student.orgUserId}/packages`)).statusCode).toBe(403)
    expect((await api.as(school.admin).post('/packages/999999/purchases', school.student)).statusCode).toBe(404)
    expect((await api.as(school.admin).post(`/packages/${made.id}/purchases`, { orgUserId: 999_999 })).statusCode).toBe(
      400,
    )
    const changed = await expectOk(api, school.admin, 'PATCH', `/packages/${made.id}`, {
      active: false,
      grant: { amountCents: 5 },
    })
    expect(changed).toMatchObject({ active: false, grant: { amountCents: 5 } })
    expect((await api.as(school.admin).patch('/packages/999999', { active: false })).statusCode).toBe(404)
  })

  test.for([
    ['no grant', { grant: {} }, 'grant: needs exactly one of'],
    ['two grants', { grant: { amountCents: 1, deciHours: 1 } }, 'grant'],
    ['a price that cannot be collected', { priceCents: 49 }, 'priceCents'],
    ['another school’s resource', { resourceIds: [999_999] }, 'resourceIds.0: there is no such resource'],
    ['a kind of line that it cannot cover', { lineKinds: ['package'] }, 'lineKinds'],
  ] as const)('are refused: %s', async ([, wrong], { env: { api, school } }) => {
    const refused = await api.as(school.admin).post('/packages', { ...tenHours, ...wrong })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain(Object.keys(wrong)[0])
  })
})

describe('a package that is paid (§Invoices, packages)', () => {
  test('covers flights, beforehand, on the invoice and afterwards alike, and the rest is billed', async ({
    env: { api, school },
    sell,
    paid,
    bought,
    bill,
    look,
  }) => {
    const { id, student } = await flownBy(api, school, 0)
    const sold = await sell({ ...tenHours, expiresAfterDays: 30 })
    expect(await paid(sold.id, student)).toMatchObject({ status: 'active', expiresAt: expect.stringMatching(/^20/) })
    const breakdown = () => expectOk(api, school.admin, 'GET', `/invoices/reservation/${id}/invoiceTotals`)
    const expected = {
      lines: [
        { kind: 'aircraft', amountCents: 25_200 },
        { kind: 'flight_instruction', amountCents: 8_400 },
        { kind: 'package_credit', description: 'Ten hours: 1.4 h', amountCents: -25_200 },
      ],
      totalCents: 8_400,
    }
    expect(await breakdown()).toMatchObject(expected)
    const [invoice] = await bill(id)
    expect(invoice).toMatchObject({ status: 'open', totalCents: 8_400, items: expected.lines })
    expect(await bought(student)).toMatchObject([{ status: 'active', remainingDeciHours: 86 }])
    expect(await breakdown()).toMatchObject(expected)
    const items = await api
      .as(school.admin)
      .patch(`/invoices/${invoice!.id}`, { items: [{ description: 'x', unitPrice: 99 }] })
    expect([items.statusCode, items.json().code]).toEqual([409, 'PACKAGE_APPLIED'])
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice!.id}/void`, { reason: 'Wrong hours' })
    expect(await bought(student)).toMatchObject([{ remainingDeciHours: 100 }])
    expect((await bill(id))[0]).toMatchObject({ totalCents: 8_400 })
    expect((await look(invoice!.id)).status).toBe('void')
  })

  test('has a payment page for the bill-to payer alone, not for the member who bought it', async ({
    env: { api, school },
    sell,
    buy,
    bought,
    look,
  }) => {
    const [student, payer] = await buildMembers(api, school.organizationId, [['student'], ['renter']])
    const url = `/orgUsers/${student.orgUserId}`
    await expectOk(api, school.admin, 'PATCH', url, { billToOrgUserId: payer.orgUserId })
    await expectOk(api, payer, 'POST', `${url}/billTo/accept`, {})
    const { invoice } = await buy((await sell(tenHours)).id, student)
    expect(invoice).toMatchObject({ status: 'open', payUrl: null })
    expect((await bought(student))[0]?.invoice.payUrl).toBeNull()
    expect((await look(invoice.id)).payUrl).toMatch(/^http/)
  })

  test('covers a flight for which a bill-to payer pays, and the flight shows what its invoice used', async ({
    env: { api, school },
    sell,
    paid,
    bill,
  }) => {
    const { id, student } = await flownBy(api, school, 7)
    await paid((await sell({ ...tenHours, grant: { deciHours: 10 } })).id, student)
    const payer = await buildMember(api, school.organizationId, ['renter'])
    const url = `/orgUsers/${student.orgUserId}`
    await expectOk(api, school.admin, 'PATCH', url, { billToOrgUserId: payer.orgUserId })
    await expectOk(api, payer, 'POST', `${url}/billTo/accept`, {})
    const breakdown = () => expectOk(api, school.admin, 'GET', `/invoices/reservation/${id}/invoiceTotals`)
    const before = await breakdown()
    expect(await bill(id)).toMatchObject([{ totalCents: 15_600, customer: { orgUserId: payer.orgUserId } }])
    expect(await breakdown()).toEqual(before)
  })

  test('may cover all of a flight: the invoice is paid at 0 cents, is not sent, and can be voided', async ({
    env: { api, school, simulator, workers },
    sell,
    paid,
    bought,
    bill,
  }) => {
    const { id, student } = await flownBy(api, school, 1)
    const { id: purchaseId } = await paid((await sell(credit)).id, student)
    const before = (await simulator.everything()).invoices.length
    const [invoice] = await bill(id)
    expect(invoice).toMatchObject({
      status: 'paid',
      totalCents: 0,
      settlement: 'offline',
      paymentMethod: 'package',
      number: expect.any(Number),
      payments: [],
      processor: null,
      amountDueCents: 0,
    })
    expect((await simulator.everything()).invoices).toHaveLength(before)
    // 110,000 − 33,600
    expect(await bought(student)).toMatchObject([{ remainingCents: 76_400 }])
    const report = await expectOk<{ orgUserId: number }[]>(api, school.admin, 'GET', '/reports/balances')
    expect(report.find(({ orgUserId }) => orgUserId === student.orgUserId)).toMatchObject({
      packageCents: 76_400,
      balanceCents: 0,
    })
    const statement = `/orgUsers/${student.orgUserId}/statement`
    const { rows, packages } = await expectOk<{ rows: object[]; packages: object[] }>(api, student, 'GET', statement)
    expect(rows.at(-1)).toMatchObject({
      kind: 'package',
      id: invoice!.id,
      number: invoice!.number,
      amountCents: 0,
      packageCents: 33_600,
      balanceCents: 0,
    })
    expect(packages).toMatchObject([{ purchaseId, status: 'active', remainingCents: 76_400, remainingDeciHours: null }])
    const paper = pdfText((await api.as(student).get(`${statement}?format=pdf`)).rawPayload)
    expect(paper).toContain('$336.00')
    expect(paper).toContain('$764.00')
    await workers.settled()
    const subjects = workers.mails(student.email).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('$0.00'))).toEqual([])
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice!.id}/void`, { reason: 'Another plane' })
    expect(await bought(student)).toMatchObject([{ remainingCents: 110_000 }])
    expect((await bill(id))[0]).toMatchObject({ totalCents: 0 })
  })

  test('gets back what a flight used when its invoice is credited in full, unless it has lapsed', async ({
    env: { api, school },
    sell,
    paid,
    bought,
    bill,
  }) => {
    const { student, id } = await flownBy(api, school, 2)
    const { invoice } = await paid((await sell({ ...tenHours, expiresAfterDays: 30 })).id, student)
    const creditAll = async () => {
      const [billed] = await bill(id)
      await expectOk(api, school.admin, 'POST', `/invoices/${billed!.id}/creditNotes`, {
        amountCents: 8_400,
        reason: 'Wrong rate',
        refund: 'none',
      })
    }
    await creditAll()
    expect(await bought(student)).toMatchObject([{ remainingDeciHours: 100 }])
    const [billed] = await bill(id)
    await api.core.database.db
      .updateTable('invoice')
      .set({ paid_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', invoice.id)
      .execute()
    await expectOk(api, school.admin, 'POST', `/invoices/${billed!.id}/void`, { reason: 'Wrong rate' })
    expect(await bought(student)).toMatchObject([{ status: 'expired', remainingDeciHours: 86 }])
  })

  test('is never used twice: flights that are billed at once share what is left', async ({
    env: { api, school },
    sell,
    paid,
    bought,
    bill,
  }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    const flights: number[] = []
    for (const hour of ['08', '11', '14', '17']) {
      const [start, end] = [`2026-10-20T${hour}:00:00Z`, `2026-10-20T${Number(hour) + 2}:00:00Z`]
      flights.push(await closedOutFlight(api, school, { students: [student], start, end }))
    }
    await paid((await sell({ ...tenHours, grant: { deciHours: 30 } })).id, student)
    const billed = (await Promise.all(flights.map(bill))).flat()
    // 30 of 56 tenths; 25,200 × 30 ÷ 14 = 54,000 of 4 × 33,600.
    expect(await bought(student)).toMatchObject([{ status: 'used', remainingDeciHours: 0 }])
    expect(billed.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(4 * 33_600 - 54_000)
  })

  test('pays nothing of a booking that is paid in advance', async ({ env: { api, school }, sell, paid }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    await paid((await sell(credit)).id, student)
    const body = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 20_000 }
    const booked = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', {
      title: 'Ride',
      type: 'dual',
      timeZoneName: 'UTC',
      start: '2026-12-01T10:00:00Z',
      end: '2026-12-01T12:00:00Z',
      resource: { id: school.plane.id },
      ...body,
      personnel: { instructors: [school.instructor], students: [student] },
    })
    const all = await expectOk<{ reservation: { id: number } | null; totalCents: number }[]>(
      api,
      school.admin,
      'GET',
      '/invoices',
    )
    expect(all.find(({ reservation }) => reservation?.id === booked.id)).toMatchObject({ totalCents: 20_000 })
  })
})

describe('the invoice of a package (§Invoices, packages)', () => {
  test('is voided, not changed: its lines are what the package costs', async ({ env: { api, school }, sell, buy }) => {
    const { invoice } = await buy((await sell(tenHours)).id, school.student)
    const { statusCode, body } = await api
      .as(school.admin)
      .patch(`/invoices/${invoice.id}`, { items: [{ description: 'Ten hours', unitPrice: 99 }] })
    expect(JSON.parse(body)).toMatchObject({
      code: 'PACKAGE_APPLIED',
      message: 'The invoice charges a package at its price. Void it instead.',
    })
    expect(statusCode).toBe(409)
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice.id}/void`, { reason: 'Another package is meant' })
  })
})

describe('a package on the ledger (§Invoices, packages)', () => {
  test('is paid at once, and by the member down to the least balance', async ({
    env: { api, school },
    sell,
    buy,
    bought,
  }) => {
    const student = await buildMember(api, school.organizationId, ['student'])
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { billingMode: 'ledger' })
    const sold = await sell(credit)
    const deposit = (amountCents: number) =>
      expectOk(api, school.admin, 'POST', `/orgUsers/${student.orgUserId}/ledger`, { kind: 'deposit', amountCents })
    await deposit(99_999)
    const low = await api.as(student).post(`/packages/${sold.id}/purchases`, { orgUserId: student.orgUserId })
    expect([low.statusCode, low.json().code]).toEqual([409, 'BALANCE_TOO_LOW'])
    expect(await bought(student)).toEqual([])
    await deposit(1)
    expect(await buy(sold.id, student)).toMatchObject({ status: 'active', invoice: { status: 'paid' } })
    expect(await buy(sold.id, student, school.admin)).toMatchObject({ status: 'active' })
  })

  test('cannot be reversed once flights have used it', async ({ env: { api, school }, sell, buy, bill }) => {
    const { id, student } = await flownBy(api, school, 3)
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${student.orgUserId}`, { billingMode: 'ledger' })
    await buy((await sell(tenHours)).id, student, school.admin)
    const [entry] = await expectOk<{ id: number }[]>(api, school.admin, 'GET', `/orgUsers/${student.orgUserId}/ledger`)
    await bill(id)
    const refused = await api.as(school.admin).post(`/ledger/${entry!.id}/reverse`, { reason: 'Mistake' })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'PACKAGE_USED'])
  })
})

describe('a package whose money goes back (§Invoices, packages)', () => {
  test('is suspended while it is disputed and after the dispute is lost, and covers nothing', async ({
    env: { api, school, simulator },
    sell,
    paid,
    bought,
    bill,
    look,
  }) => {
    const { id, student } = await flownBy(api, school, 4)
    const { invoice } = await paid((await sell(tenHours)).id, student)
    const { processor } = await look(invoice.id)
    const dispute = await simulator.move(processor!.invoiceId, 'dispute', 160_000)
    const until = (status: string) =>
      eventually(
        () => bought(student),
        ([one]) => one?.status === status,
      )
    await until('suspended')
    expect((await bill(id))[0]).toMatchObject({ totalCents: 33_600 })
    await simulator.closeDispute(dispute.id, 'lost')
    await eventually(
      () => look(invoice.id),
      ({ status }) => status !== 'paid',
    )
    await until('suspended')
  })

  test('can be credited by its unused part, and shrinks by it', async ({
    env: { api, school },
    sell,
    paid,
    bought,
    bill,
  }) => {
    const { id, student } = await flownBy(api, school, 5)
    const { invoice } = await paid((await sell(tenHours)).id, student)
    await bill(id)
    const credits = (amountCents: number) =>
      api
        .as(school.admin)
        .post(`/invoices/${invoice.id}/creditNotes`, { amountCents, reason: 'Moves away', refund: 'processor' })
    // 86 of 100 tenths of 160,000 are unused.
    const beyond = await credits(137_601)
    expect([beyond.statusCode, beyond.json().code]).toEqual([409, 'CREDIT_EXCEEDS'])
    expect((await credits(80_000)).statusCode).toBe(201)
    expect(await bought(student)).toMatchObject([{ status: 'active', remainingDeciHours: 36 }])
    expect((await credits(57_600)).statusCode).toBe(201)
    expect(await bought(student)).toMatchObject([{ status: 'used', remainingDeciHours: 0 }])
  })

  test('is billed for what flights used, when the payer got it back at the processor', async ({
    env: { api, school, simulator, workers },
    sell,
    paid,
    bought,
    bill,
    look,
  }) => {
    const { id, student } = await flownBy(api, school, 6)
    const { invoice } = await paid((await sell(tenHours)).id, student)
    await bill(id)
    await simulator.move((await look(invoice.id)).processor!.invoiceId, 'refund', 160_000)
    await eventually(
      () => bought(student),
      ([one]) => one?.status === 'refunded',
    )
    await workers.settled()
    const mine = await expectOk<(Invoice & { memo: string })[]>(api, school.admin, 'GET', '/invoices')
    // 14 of 100 tenths of 160,000.
    expect(mine.find(({ items }) => items[0]?.kind === 'package_shortfall')).toMatchObject({
      status: 'open',
      totalCents: 22_400,
      memo: 'Ten hours: used beyond what stays paid',
    })
  })
})

describe('packages that members buy (§Limits)', () => {
  test('are five a day, and three unpaid at once, also when bought at once; admins sell more', async () => {
    const limited = await startBilling('postgres', {
      workers: false,
      env: { RATE_LIMIT_FACTOR: '1' },
    })
    try {
      const { api, school } = limited
      const { admin, student, renter } = school
      const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/packages', credit)
      const buy = (of: Member, by: Member = of) =>
        api.as(by).post(`/packages/${id}/purchases`, { orgUserId: of.orgUserId })
      const four = await Promise.all([buy(student), buy(student), buy(student), buy(student)])
      expect(four.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 429])
      const refused = four.find(({ statusCode }) => statusCode === 429)!
      expect([refused.json().message, Number(refused.headers['retry-after'])]).toEqual([
        '3 of your packages are not paid. Please pay one of them first.',
        3_600,
      ])
      const { db } = api.core.database
      const { rows } = await sql<{ bought: number }>`select count(*)::int as bought from package_purchase
        where membership_id = ${student.orgUserId}`.execute(db)
      expect(rows).toEqual([{ bought: 3 }])
      await expectOk(api, admin, 'PATCH', `/orgUsers/${renter.orgUserId}`, { billingMode: 'ledger' })
      await expectOk(api, admin, 'POST', `/orgUsers/${renter.orgUserId}/ledger`, {
        kind: 'deposit',
        amountCents: 600_000,
      })
      const six: number[] = []
      for (let at = 0; at < 6; at++) six.push((await buy(renter)).statusCode)
      expect(six).toEqual([201, 201, 201, 201, 201, 429])
      expect((await buy(renter, admin)).statusCode).toBe(201)
      expect((await buy(student, admin)).statusCode).toBe(200)
    } finally {
      await limited.close()
    }
  })
})
