import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { buildMember, buildSchool, buildSimulator } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBill, buildFlight } from '../../support/reports.ts'

const window = 'startDate=2025-11-01&endDate=2026-11-30'
const DAY_MS = 86_400_000

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const line = fc.record({
  kind: fc.constantFrom('aircraft', 'flight_instruction', 'ground_instruction', 'package', 'other'),
  amountCents: fc.integer({ min: 0, max: 90_000 }),
})
const flight = fc.record({
  plane: fc.boolean(),
  student: fc.nat(1),
  taught: fc.boolean(),
  hobbs: fc.integer({ min: 0, max: 900 }),
  tach: fc.integer({ min: 0, max: 900 }),
  days: fc.integer({ min: 0, max: 300 }),
  bill: fc.option(
    fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
      outcome: fc.constantFrom('open', 'pending', 'void', 'failed', 'paid', 'refunded'),
      dueDays: fc.option(fc.integer({ min: -20, max: 200 }), { nil: undefined }),
    }),
    { nil: undefined },
  ),
})

interface Summary {
  revenueCents: number
  outstandingCents: number
  overdueCents: number
}

const test = apiTest().extend(
  'daysAgo',
  ({ api }) =>
    (days: number) =>
      new Date(api.clock.now.getTime() - days * DAY_MS),
)

describe('the reports of a school (§Reports)', () => {
  test('whatever a school did, its reports are the sums of its flights and invoices', async ({ api, daysAgo }) => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(flight, { maxLength: 8, selector: ({ days }) => days }), async (flights) => {
        const school = await buildSchool(api, { timeZoneName: 'America/Los_Angeles' })
        const simulator = await buildSimulator(api, school)
        const students = [school.student, await buildMember(api, school.organizationId, ['student'])]
        for (const { plane, student, taught, hobbs, tach, days, bill } of flights) {
          const payer = students[student]!
          const id = await buildFlight(api, school, {
            endedAt: daysAgo(days),
            hobbs,
            tach,
            student: payer,
            ...(plane ? { type: 'dual' as const } : { type: 'sim' as const, resourceId: simulator.id }),
            ...(taught && { instructor: school.instructor }),
          })
          if (!bill) continue
          const paid = bill.outcome === 'paid' || bill.outcome === 'refunded'
          const total = sum(bill.lines.map(({ amountCents }) => amountCents))
          await buildBill(api, school, {
            payer,
            flight: id,
            lines: bill.lines,
            createdAt: daysAgo(days),
            ...(bill.dueDays !== undefined && { dueAt: daysAgo(bill.dueDays) }),
            ...(paid && { paidAt: daysAgo(days / 2) }),
            ...(bill.outcome === 'refunded' && { refunded: { at: daysAgo(days / 3), cents: Math.floor(total / 2) } }),
            ...(bill.outcome !== 'paid' && bill.outcome !== 'refunded' && { status: bill.outcome }),
          })
        }

        const read = <Row>(report: string) => expectOk<Row[]>(api, school.admin, 'GET', `/reports/${report}`)
        const summary = await expectOk<Summary>(api, school.admin, 'GET', '/invoices/summary')
        const revenue = await read<{ revenueCents: number }>(`revenue?${window}`)
        expect(sum(revenue.map((row) => row.revenueCents))).toBe(summary.revenueCents)
        const receivables = await read<Record<string, number>>('receivables')
        expect(sum(receivables.map((row) => row.totalCents!))).toBe(summary.outstandingCents)
        const balances = await read<Record<string, number>>('balances')
        expect(sum(balances.map((row) => row.dueCents!))).toBe(summary.outstandingCents)
        expect(sum(balances.map((row) => row.overdueCents!))).toBe(summary.overdueCents)
        for (const row of receivables) {
          const aged = [row.days0to30Cents!, row.days31to60Cents!, row.days61to90Cents!, row.over90Cents!]
          expect(sum(aged)).toBe(row.totalCents)
        }

        const used = await read<Record<string, number>>(`utilization?${window}`)
        const tenths = (hundredths: number[]) => Math.floor((sum(hundredths) + 5) / 10)
        for (const [id, plane] of [[school.plane.id, true] as const, [simulator.id, false] as const]) {
          const own = flights.filter((one) => one.plane === plane)
          expect(used.find((row) => row.resourceId === id)).toMatchObject({
            flights: own.length,
            hobbsDeciHours: tenths(own.map((one) => one.hobbs)),
            tachDeciHours: tenths(own.map((one) => one.tach)),
          })
        }
        const [taught] = await read<Record<string, number>>(`instructors?${window}`)
        expect(taught).toMatchObject({
          lessons: flights.filter((one) => one.taught).length,
          flightDeciHours: tenths(flights.filter((one) => one.taught && one.plane).map((one) => one.hobbs)),
        })
        const trained = await read<Record<string, number>>(`students?${window}`)
        expect(sum(trained.map((row) => row.lessons!))).toBe(flights.length)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  })
})
