import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { selectRevenue } from '../../../src/shared/insight/reports/money.queries.ts'
import { readRows } from '../../../src/shared/platform/db/read-rows.ts'
import type { TestApp } from '../../support/app.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBill, buildPayment } from '../../support/reports.ts'

const test = apiTest()
  .extend('revenue', ({ api }) => async () => {
    const path = '/reports/revenue?startDate=2026-11-01&endDate=2026-11-30&groupBy=day'
    const rows = await expectOk<{ period: string; kind: string; revenueCents: number }[]>(
      api,
      school.admin,
      'GET',
      path,
    )
    return rows.map(({ period, kind, revenueCents }) => [period.slice(5), kind, revenueCents])
  })
  .extend('pay', ({ api }) => (invoice: number, day: string, amountCents: number) => {
    const receivedAt = `2026-11-${day}T12:00:00Z`
    return expectOk<{ payments: { id: number }[] }>(api, school.admin, 'POST', `/invoices/${invoice}/payments`, {
      amountCents,
      method: 'cash',
      receivedAt,
    })
  })

let school: School

test.beforeEach(async ({ api }) => {
  school = await buildSchool(api)
})

const at = (text: string) => new Date(`2026-${text}Z`)

/** 18,001 with 1,001 of tax; up to each line 10,000, 15,000, 17,000 and 18,001. */
const threeLines = [
  { kind: 'aircraft', amountCents: 10_000 },
  { kind: 'flight_instruction', amountCents: 5_000 },
  { kind: 'other', amountCents: 2_000 },
]

describe('an invoice that is paid in parts', () => {
  test('counts each part on its day, and all of them are its lines; one that bounces leaves again', async ({
    api,
    revenue,
    pay,
  }) => {
    const invoice = await buildBill(api, school, { payer: school.student, lines: threeLines, taxCents: 1_001 })
    await pay(invoice, '03', 6_001)
    // 6,001 ÷ 18,001: up to 3,333.70, 5,000.56, 5,667.30 and 6,001.
    const first = [
      ['11-03', 'aircraft', 3_334],
      ['11-03', 'flight_instruction', 1_667],
      ['11-03', 'other', 666],
      ['11-03', 'tax', 334],
    ]
    expect(await revenue()).toEqual(first)
    const { payments } = await pay(invoice, '05', 7_000)
    await pay(invoice, '09', 5_000)
    // 13,001 ÷ 18,001: up to 7,222.38, 10,833.57, 12,278.04 and 13,001.
    const rest = [
      ['11-05', 'aircraft', 3_888],
      ['11-05', 'flight_instruction', 1_945],
      ['11-05', 'other', 778],
      ['11-05', 'tax', 389],
      ['11-09', 'aircraft', 2_778],
      ['11-09', 'flight_instruction', 1_388],
      ['11-09', 'other', 556],
      ['11-09', 'tax', 278],
    ]
    expect(await revenue()).toEqual([...first, ...rest])
    const bounced = `/invoices/${invoice}/payments/${payments[1]!.id}/reverse`
    await expectOk(api, school.admin, 'POST', bounced, { reason: 'It bounced' })
    // 11,001 ÷ 18,001: up to 6,111.33, 9,167.00, 10,389.26 and 11,001 stay.
    const gone = [
      ['11-21', 'aircraft', -3_889],
      ['11-21', 'flight_instruction', -1_944],
      ['11-21', 'other', -778],
      ['11-21', 'tax', -389],
    ]
    expect(await revenue()).toEqual([...first, ...rest, ...gone])
  })

  test('counts what was paid of it when a credit takes the rest', async ({ api, revenue, pay }) => {
    const lines = [
      { kind: 'aircraft', amountCents: 20_000 },
      { kind: 'flight_instruction', amountCents: 10_000 },
    ]
    const invoice = await buildBill(api, school, { payer: school.student, lines })
    await pay(invoice, '03', 12_000)
    const credit = { amountCents: 18_000, reason: 'Cut short', refund: 'none' }
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice}/creditNotes`, credit)
    expect(await revenue()).toEqual([
      ['11-03', 'aircraft', 8_000],
      ['11-03', 'flight_instruction', 4_000],
    ])
  })
})

describe('money besides the lines', () => {
  test('what a package covers altogether counts on the day of its invoice, with what it takes off', async ({
    api,
    revenue,
  }) => {
    const lines = [
      { kind: 'aircraft', amountCents: 20_000 },
      { kind: 'package_credit', amountCents: -20_000 },
    ]
    await buildBill(api, school, { payer: school.student, lines, paidAt: at('11-04T12:00') })
    expect(await revenue()).toEqual([
      ['11-04', 'aircraft', 20_000],
      ['11-04', 'package_credit', -20_000],
    ])
  })

  test('what comes in above the total is overpaid, and a refund on the day on which it goes back', async ({
    api,
    revenue,
  }) => {
    const lines = [{ kind: 'aircraft', amountCents: 10_000 }]
    const invoice = await buildBill(api, school, { payer: school.student, lines })
    await buildPayment(api, school, invoice, { cents: 6_000, at: at('11-04T12:00') })
    const overpaid = { cents: 5_000, at: at('11-06T12:00') }
    await buildPayment(api, school, invoice, { cents: 9_000, at: at('11-05T12:00'), overpaid })
    expect(await revenue()).toEqual([
      ['11-04', 'aircraft', 6_000],
      ['11-05', 'aircraft', 4_000],
      ['11-05', 'overpaid', 5_000],
      ['11-06', 'refund', -5_000],
    ])
  })

  test('a void invoice counts nothing', async ({ api, revenue }) => {
    const lines = [{ kind: 'aircraft', amountCents: 10_000 }]
    const invoice = await buildBill(api, school, { payer: school.student, lines, status: 'void' })
    await buildPayment(api, school, invoice, { cents: 10_000, at: at('11-04T12:00') })
    expect(await revenue()).toEqual([])
  })
})

describe('any lines, paid in any parts', () => {
  test('each day has its payments less what went back, and all of them are the lines', async ({ api }) => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(anyLines, anyTax, anyParts, async (amounts, taxCents, parts) => {
        // Each invoice has days of its own.
        const first = Date.UTC(2010, 0, 1) + run++ * 40 * DAY_MS
        const lines = amounts.map((amountCents, index) => ({ kind: `line ${index}`, amountCents }))
        const total = amounts.reduce((all, amount) => all + amount, 0) + taxCents
        const invoice = await buildBill(api, school, { payer: school.student, lines, taxCents })
        const due = new Map<string, number>()
        const count = (day: number, cents: number) => {
          const date = new Date(first + day * DAY_MS).toISOString().slice(0, 10)
          due.set(date, (due.get(date) ?? 0) + cents)
        }
        let left = total
        for (const { day, share, bouncesAfter } of [...parts, { day: 20, share: 100, bouncesAfter: null }]) {
          const cents = Math.ceil((left * share) / 100)
          if (cents === 0) continue
          const paidAt = new Date(first + day * DAY_MS)
          count(day, cents)
          if (bouncesAfter === null) left -= cents
          else count(day + bouncesAfter, -cents)
          const reversed = bouncesAfter === null ? null : new Date(paidAt.getTime() + bouncesAfter * DAY_MS)
          await buildPayment(api, school, invoice, { cents, at: paidAt, reversed })
        }
        const rows = await revenueFrom(api, new Date(first))
        const found = Map.groupBy(rows, ({ period }) => period)
        const days = [...due].filter(([, cents]) => cents !== 0).toSorted()
        expect([...found].map(([day, own]) => [day, sumOf(own)]).filter(([, cents]) => cents !== 0)).toEqual(days)
        const byKind = Map.groupBy(rows, ({ kind }) => kind)
        for (const { kind, amountCents } of [...lines, { kind: 'tax', amountCents: taxCents }]) {
          expect(sumOf(byKind.get(kind) ?? [])).toBe(amountCents)
        }
        expect(sumOf(rows)).toBe(total)
      }),
      { numRuns: 60 },
    )
  })
})

const DAY_MS = 86_400_000
const anyLines = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 5 }).chain((charges) => {
  const all = charges.reduce((sum, charge) => sum + charge, 0)
  // A package covers some of it, but not all.
  return fc
    .option(fc.integer({ min: 1, max: all }))
    .map((covered) => (covered && covered < all ? [...charges, -covered] : charges))
})
const anyTax = fc.integer({ min: 0, max: 9_999 })
const anyParts = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 9 }),
      share: fc.integer({ min: 1, max: 60 }),
      bouncesAfter: fc.option(fc.integer({ min: 0, max: 9 })),
    }),
    { maxLength: 6 },
  )
  .map((parts) => parts.toSorted((a, b) => a.day - b.day))

function sumOf(rows: readonly { revenueCents: number }[]): number {
  return rows.reduce((all, { revenueCents }) => all + revenueCents, 0)
}

function revenueFrom(api: TestApp, start: Date) {
  const window = { start, end: new Date(start.getTime() + 40 * DAY_MS) }
  const { organizationId } = school
  return readRows(api.core.database, selectRevenue({ organizationId, window }, { grouping: 'day', zone: 'UTC' }))
}
