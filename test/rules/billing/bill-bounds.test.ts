import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeFlight } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import type { FlightCharge, Payer, Stake } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { linesOf } from '../../../src/shared/billing/invoices/items.rules.ts'
import { basisPoints, cents, hundredths, tenths, ZERO } from '../../../src/shared/platform/kernel/units.ts'

const MOST = 2_000_000_000
const INT4 = 2_147_483_647
const payers: Payer[] = ['Ben', 'Cleo', 'Dora'].map((name, index) => ({ orgUserId: index + 1, guestId: null, name }))

/** Numbers of a range, its ends more often than others. */
const extremes = (max: number) =>
  fc.oneof(fc.constantFrom(0, 1, max - 1, max), fc.integer({ min: 0, max }), fc.nat(10_000))
const rate = fc.option(extremes(MOST).map(cents))
const reading = extremes(99_999_999).map(hundredths)
const readings = fc.tuple(reading, reading).map((pair) => pair.sort((a, b) => a - b))

const flights = fc
  .record({
    hobbs: readings,
    tach: readings,
    days: fc.integer({ min: 0, max: 14 }),
    least: extremes(1000).map(tenths),
    wetRate: rate,
    flight: rate,
    ground: rate,
    briefing: fc.option(extremes(240).map(tenths)),
    byHobbs: fc.boolean(),
    split: fc.constantFrom('one_payer' as const, 'split_evenly' as const),
    percentages: fc.option(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }))),
  })
  .map((given): FlightCharge => {
    const [hobbsOut = ZERO, hobbsIn = ZERO] = given.hobbs
    const [tachOut = ZERO, tachIn = ZERO] = given.tach
    const [first, second] = given.percentages ?? [0, 0]
    const stakes = [first, second, 10_000 - first - second]
      .map(basisPoints)
      .map(
        (percentageBps, index): Stake => ({ orgUserId: index + 1, guestId: null, kind: 'percentage', percentageBps }),
      )
    const start = new Date('2026-06-02T14:00:00Z')
    return {
      type: 'dual',
      booked: { start, end: new Date(start.getTime() + (1 + 24 * given.days) * 3_600_000) },
      resource: {
        id: 1,
        name: 'N12345',
        kind: 'plane',
        zone: 'America/New_York',
        dryRate: null,
        wetRate: given.wetRate,
        overnightMinimumTenths: given.least,
        billByHobbsTime: given.byHobbs,
      },
      readings: { hobbsOut, hobbsIn, tachOut, tachIn },
      briefing: given.briefing,
      instructor: { name: 'Ana', rates: { flight: given.flight, ground: given.ground, sim: null } },
      payers,
      stakes: given.percentages ? stakes : [],
      packages: [],
      taxExempt: [],
      locationId: null,
      settings: {
        aircraftRateKind: 'wet',
        overnightMinimumTenths: ZERO,
        chargeRules: { aircraft: given.split, instruction: given.split },
        taxRates: [],
        currency: 'usd',
      },
    }
  })

const total = (amounts: readonly { amountCents: number }[]) => amounts.reduce((sum, one) => sum + one.amountCents, 0)

describe('the bill of a flight with any readings and rates (§Reservations rules 3 to 5)', () => {
  test('adds up in exact cents and says when it exceeds what a bill can hold', () => {
    fc.assert(
      fc.property(flights, (flight) => {
        const { lines, shares, totalCents, problems } = chargeFlight(flight)
        expect(Number.isSafeInteger(totalCents)).toBe(true)
        expect([total(lines), total(shares)]).toEqual([totalCents, totalCents])
        expect(problems.length > 0).toBe(totalCents > MOST)
        for (const { amountCents, unitPrice, quantityHundredths } of problems.length > 0 ? [] : lines) {
          expect(amountCents).toBeLessThanOrEqual(MOST)
          expect(Math.max(unitPrice, quantityHundredths)).toBeLessThanOrEqual(INT4)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is refused by name from the first cent that it cannot hold', () => {
    const bill = (ground: number) => {
      const [flight] = fc.sample(flights, { numRuns: 1, seed: 1 })
      const instructor = { name: 'Ana', rates: { flight: null, ground: cents(ground), sim: null } }
      return chargeFlight({ ...flight!, type: 'ground', resource: null, briefing: tenths(10), stakes: [], instructor })
        .problems
    }
    expect(bill(MOST)).toEqual([])
    expect(bill(MOST + 1)).toEqual([{ field: 'totalCents', message: 'totalCents: must be at most 2000000000 cents' }])
  })
})

test('written lines of any quantity and price fit their columns or are refused by name', () => {
  const item = fc.record({
    description: fc.constant('x'),
    unit: fc.constant('piece'),
    quantityHundredths: extremes(1_000_000).map(hundredths),
    unitPrice: fc.tuple(extremes(MOST), fc.constantFrom(1, -1)).map(([price, sign]) => cents(price * sign)),
  })
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 100 }), (items) => {
      const { lines, problems } = linesOf(items)
      expect(lines.every(({ amountCents }) => Number.isSafeInteger(amountCents))).toBe(true)
      if (problems.length > 0) {
        expect(problems[0]?.message).toMatch(/^items(\.\d+)?: must (be|total) at (most|least) \d+ cents/)
        return
      }
      expect(lines.every(({ amountCents }) => Math.abs(amountCents) <= MOST)).toBe(true)
      expect(total(lines)).toBeGreaterThanOrEqual(50)
      expect(total(lines)).toBeLessThanOrEqual(MOST)
    }),
  )
})
