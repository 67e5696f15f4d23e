import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { buildSchool, type School } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBill, buildFlight, buildPayment } from '../../support/reports.ts'

const window = 'startDate=2026-11-01&endDate=2026-11-30'

let school: School

/** What the three reports say of November, in cents; the lines of the report of revenue by their kinds. */
const test = apiTest().extend('figures', ({ api }) => async () => {
  const read = <Row>(report: string) => expectOk<Row[]>(api, school.admin, 'GET', `/reports/${report}?${window}`)
  // One after the other: few reports of an organization run at once.
  const resources = await read<{ revenueCents: number }>('utilization')
  const instructors = await read<{ revenueCents: number }>('instructors')
  const revenue = await read<{ kind: string; revenueCents: number }>('revenue')
  const lines = new Map<string, number>()
  for (const { kind, revenueCents } of revenue) lines.set(kind, (lines.get(kind) ?? 0) + revenueCents)
  return { resources: sumOf(resources), instructors: sumOf(instructors), lines: Object.fromEntries(lines) }
})

test.beforeEach(async ({ api }) => {
  school = await buildSchool(api)
})

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12))
const NOT_PAID = { resources: 0, instructors: 0 }

/** 18,001 with 1,001 of tax; up to each line 10,000, 15,000, 17,000 and 18,001. */
const bill = {
  lines: [
    { kind: 'aircraft', amountCents: 10_000 },
    { kind: 'flight_instruction', amountCents: 5_000 },
    { kind: 'other', amountCents: 2_000 },
  ],
  taxCents: 1_001,
}

describe('what flights brought, by resource and by instructor (§Reports)', () => {
  /** Bills a flight of another day each time. */
  const billed = test.extend('flightBill', ({ api }) => {
    let day = 1
    return async (given: Partial<Parameters<typeof buildBill>[2]> = {}) => {
      const people = { instructor: school.instructor, student: school.student }
      const flight = await buildFlight(api, school, { endedAt: at(day++), hobbs: 100, ...people })
      return buildBill(api, school, { payer: school.student, flight, createdAt: at(2), ...bill, ...given })
    }
  })

  billed(
    'counts a part payment by the lines that it pays, as the report of revenue does',
    async ({ api, figures, flightBill }) => {
      const invoice = await flightBill()
      expect(await figures()).toMatchObject(NOT_PAID)
      await buildPayment(api, school, invoice, { cents: 6_001, at: at(3) })
      // 6,001 ÷ 18,001: up to 3,333.70, 5,000.56, 5,667.30 and 6,001.
      const lines = { aircraft: 3_334, flight_instruction: 1_667, other: 666, tax: 334 }
      expect(await figures()).toEqual({ resources: 3_334, instructors: 1_667, lines })
    },
  )

  billed('counts what was paid when a credit takes the rest', async ({ api, figures, flightBill }) => {
    const invoice = await flightBill({
      lines: [
        { kind: 'aircraft', amountCents: 20_000 },
        { kind: 'flight_instruction', amountCents: 10_000 },
      ],
      taxCents: 0,
    })
    const payment = { amountCents: 12_000, method: 'cash', receivedAt: at(3).toISOString() }
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice}/payments`, payment)
    const credit = { amountCents: 18_000, reason: 'Cut short', refund: 'none' }
    await expectOk(api, school.admin, 'POST', `/invoices/${invoice}/creditNotes`, credit)
    const lines = { aircraft: 8_000, flight_instruction: 4_000 }
    expect(await figures()).toEqual({ resources: 8_000, instructors: 4_000, lines })
  })

  billed(
    'counts a payment in full without its tax, and nothing of what bounced',
    async ({ api, figures, flightBill }) => {
      const invoice = await flightBill()
      await buildPayment(api, school, invoice, { cents: 18_001, at: at(3), reversed: at(4) })
      expect(await figures()).toMatchObject(NOT_PAID)
      await buildPayment(api, school, invoice, { cents: 18_001, at: at(5) })
      expect(await figures()).toMatchObject({ resources: 10_000, instructors: 5_000 })
    },
  )

  billed('counts what a package covers, altogether or in part', async ({ figures, flightBill }) => {
    const charges = [
      { kind: 'aircraft', amountCents: 12_000 },
      { kind: 'flight_instruction', amountCents: 8_000 },
    ]
    const covered = { kind: 'package_credit', amountCents: -20_000 }
    await flightBill({ lines: [...charges, covered], taxCents: 0, paidAt: at(3) })
    const all = { aircraft: 12_000, flight_instruction: 8_000, package_credit: -20_000 }
    expect(await figures()).toEqual({ resources: 12_000, instructors: 8_000, lines: all })
    await flightBill({ lines: [...charges, { ...covered, amountCents: -15_000 }], taxCents: 0, paidAt: at(4) })
    const both = { aircraft: 24_000, flight_instruction: 16_000, package_credit: -35_000 }
    expect(await figures()).toEqual({ resources: 24_000, instructors: 16_000, lines: both })
  })

  billed('takes a refund off all lines, and what was overpaid off none', async ({ api, figures, flightBill }) => {
    const lines = bill.lines.slice(0, 2)
    await flightBill({ lines, taxCents: 0, paidAt: at(3), refunded: { at: at(4), cents: 4_000 } })
    // 11,000 ÷ 15,000: up to 7,333.33 and 11,000.
    expect(await figures()).toEqual({
      resources: 7_333,
      instructors: 3_667,
      lines: { aircraft: 10_000, flight_instruction: 5_000, refund: -4_000 },
    })
    const overpaid = await flightBill({ lines, taxCents: 0 })
    await buildPayment(api, school, overpaid, { cents: 16_000, at: at(5), overpaid: { cents: 1_000, at: at(6) } })
    expect(await figures()).toMatchObject({ resources: 17_333, instructors: 8_667 })
  })

  billed('counts nothing of a void invoice', async ({ api, figures, flightBill }) => {
    const invoice = await flightBill({ status: 'void' })
    await buildPayment(api, school, invoice, { cents: 18_001, at: at(3) })
    expect(await figures()).toEqual({ ...NOT_PAID, lines: {} })
  })

  test('whatever is billed, paid in parts and bounces, the three reports agree to the cent', async ({
    api,
    figures,
  }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFlight, { minLength: 1, maxLength: 4 }), async (flights) => {
        school = await buildSchool(api)
        const total = { refunded: 0 }
        for (const [nth, { lines, taxCents, parts, refundShare }] of flights.entries()) {
          const people = { instructor: school.instructor, student: school.student }
          const flight = await buildFlight(api, school, { endedAt: at(1 + nth), hobbs: 100, ...people })
          const owed = sumOfLines(lines) + taxCents
          const cents = parts.map(({ share }) => Math.floor((owed * share) / 400))
          const kept = cents.filter((_, index) => !parts[index]!.bounces).reduce((all, part) => all + part, 0)
          const refunded = Math.floor((kept * refundShare) / 100)
          total.refunded += refunded
          const invoice = await buildBill(api, school, { payer: school.student, flight, lines, taxCents })
          for (const [index, { bounces }] of parts.entries()) {
            if (cents[index] === 0) continue
            const payment = { cents: cents[index]!, at: at(3 + index), reversed: bounces ? at(10 + index) : null }
            await buildPayment(api, school, invoice, payment)
          }
          await api.core.database.pool.query(
            `update invoice set refunded_cents = $2, gateway_refunded_cents = $2, refunded_at = $3 where id = $1 and $2 > 0`,
            [invoice, refunded, at(20)],
          )
        }
        const { resources, instructors, lines } = await figures()
        const of = (...kinds: string[]) => kinds.reduce((all, kind) => all + (lines[kind] ?? 0), 0)
        const [flown, taught] = [of('aircraft', 'simulator', 'package'), of('flight_instruction', 'ground_instruction')]
        if (total.refunded === 0) expect([resources, instructors]).toEqual([flown, taught])
        else expect(lines.refund).toBe(-total.refunded)
        const isOnlyEarned = flights.every(({ lines: own, taxCents }) => taxCents === 0 && own.every(isEarned))
        if (isOnlyEarned) expect(resources + instructors).toBe(flown + taught - total.refunded)
      }),
      { numRuns: 25, endOnFailure: true },
    )
  })
})

const anyLine = fc.record({
  kind: fc.constantFrom('aircraft', 'package', 'flight_instruction', 'ground_instruction', 'other'),
  amountCents: fc.integer({ min: 0, max: 50_000 }),
})
const isEarned = ({ kind }: { kind: string }) => kind !== 'other'
const earning = anyLine.filter(isEarned)
/** Of up to four parts each pays at most a quarter. */
const anyFlight = fc.record({
  lines: fc.oneof(fc.array(anyLine, { minLength: 1, maxLength: 4 }), fc.array(earning, { minLength: 1, maxLength: 4 })),
  taxCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 })),
  parts: fc.array(fc.record({ share: fc.integer({ min: 0, max: 100 }), bounces: fc.boolean() }), { maxLength: 4 }),
  refundShare: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
})

function sumOf(rows: readonly { revenueCents: number }[]): number {
  return rows.reduce((all, { revenueCents }) => all + revenueCents, 0)
}

function sumOfLines(lines: readonly { amountCents: number }[]): number {
  return lines.reduce((all, { amountCents }) => all + amountCents, 0)
}
