import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeFlight, isBillable } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import type { CoveringPackage, FlightBill } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import { creditableOf, reducePackage } from '../../../src/shared/billing/flight-bill/packages.rules.ts'
import { basisPoints, cents, tenths, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { ben, cleo, flight, resource } from './a-flight.ts'

const credit = (remaining: number, over: Partial<CoveringPackage> = {}): CoveringPackage => ({
  purchaseId: 1,
  orgUserId: ben.orgUserId,
  guestId: null,
  name: 'Credit',
  unit: 'cents',
  remaining,
  resourceIds: [],
  lineKinds: [],
  ...over,
})
const hours = (remaining: number, over: Partial<CoveringPackage> = {}) =>
  credit(remaining, { purchaseId: 2, name: 'Ten hours', unit: 'deci_hours', lineKinds: ['aircraft'], ...over })

const amounts = ({ lines }: FlightBill) => lines.map(({ description, amountCents }) => [description, amountCents])
const uses = ({ shares }: FlightBill) =>
  shares.flatMap((share) =>
    share.uses.map(({ purchaseId, quantity, coveredCents }) => [purchaseId, quantity, coveredCents]),
  )

// The flight: 1.4 h × $165.50 = 23,170 and 1.4 h × $65.00 = 9,100, together 32,270.
const aircraft = ['N12345 (wet, Hobbs)', 23_170]
const teaching = ['Flight instruction, Ana Ruiz', 9_100]

describe('a package (§Invoices, packages)', () => {
  test('of credit covers the lines in their order, and is shown as a negative line', () => {
    const bill = chargeFlight(flight({ packages: [credit(25_000)] }))
    expect(amounts(bill)).toEqual([aircraft, teaching, ['Credit', -25_000]])
    expect([bill.totalCents, uses(bill)]).toEqual([7_270, [[1, 25_000, 25_000]]])
  })

  test('of hours covers the part of the line that its hours are of the line’s', () => {
    // 0.9 of 1.4 h: 23,170 × 9 ÷ 14 = 14,895
    const bill = chargeFlight(flight({ packages: [hours(9)] }))
    expect(amounts(bill)).toEqual([aircraft, teaching, ['Ten hours: 0.9 h', -14_895]])
    expect(uses(bill)).toEqual([[2, 9, 14_895]])
  })

  test.for([
    ['more hours than the flight has', [hours(100)], [[2, 14, 23_170]], 9_100],
    ['another kind of line', [hours(100, { lineKinds: ['ground_instruction'] })], [], 32_270],
    ['another resource', [credit(50_000, { resourceIds: [resource.id + 1] })], [], 32_270],
    ['its resource', [credit(50_000, { resourceIds: [resource.id] })], [[1, 32_270, 32_270]], 0],
    ['another member’s flight', [credit(50_000, { orgUserId: cleo.orgUserId })], [], 32_270],
  ] as const)('covers what it is for: %s', ([, packages, used, totalCents]) => {
    const bill = chargeFlight(flight({ packages }))
    expect([uses(bill), bill.totalCents]).toEqual([used, totalCents])
  })

  test('is used before a younger one', () => {
    // The hours take the aircraft; of the credit's first 3,000 nothing is left for it but instruction.
    const bill = chargeFlight(flight({ packages: [credit(3_000, { purchaseId: 7 }), hours(100), credit(99_999)] }))
    // 3,000 of 23,170 are 1 of 14 tenths, rounded down, so that 13 are left for the hours: 20,170.
    expect(uses(bill)).toEqual([
      [7, 3_000, 3_000],
      [2, 13, 20_170],
      [1, 9_100, 9_100],
    ])
    expect(bill.totalCents).toBe(0)
  })

  test('covers its member’s share only, with hours in proportion to the share', () => {
    const chargeRules = { aircraft: 'split_evenly', instruction: 'split_evenly' } as const
    const shared = flight({
      payers: [ben, cleo],
      packages: [hours(100)],
      settings: { ...flight().settings, chargeRules },
    })
    const bill = chargeFlight(shared)
    expect(bill.shares).toMatchObject([
      { payer: ben, amountCents: 4_550, wholeCents: 16_135, uses: [{ quantity: 7, coveredCents: 11_585 }] },
      { payer: cleo, amountCents: 16_135, uses: [] },
    ])
  })

  test('lessens what is taxed', () => {
    const taxRates = [{ name: 'Tax', basisPoints: basisPoints(1_000), appliesTo: ['aircraft'], locationIds: [] }]
    const bill = chargeFlight(flight({ packages: [credit(20_000)], settings: { ...flight().settings, taxRates } }))
    // 3,170 of the aircraft are left: 317 of tax.
    expect(bill.shares).toMatchObject([
      { amountCents: 12_587, wholeCents: 34_587, taxes: [{ taxableCents: 3_170, taxCents: 317 }] },
    ])
  })

  test('may leave too little to collect, which is waived; the least is asked of the share before packages', () => {
    const bill = chargeFlight(flight({ packages: [credit(32_221)] }))
    expect(amounts(bill)).toEqual([aircraft, teaching, ['Credit', -32_221], ['Waived: too little to collect', -49]])
    expect([bill.totalCents, bill.warnings, bill.shares.map(isBillable)]).toEqual([
      0,
      ['Ben Okafor has to pay $0.49 beyond packages. This is below $0.50 and is waived.'],
      [true],
    ])
    expect(chargeFlight(flight({ packages: [credit(32_220)] })).totalCents).toBe(50)
  })

  test('never covers more than the bill or than it has, whatever is asked of it', () => {
    const one = fc.record({
      unit: fc.constantFrom('cents' as const, 'deci_hours' as const),
      remaining: fc.integer({ min: 1, max: 40_000 }),
      lineKinds: fc.constantFrom([], ['aircraft'], ['flight_instruction', 'ground_instruction']),
      orgUserId: fc.constantFrom(ben.orgUserId, cleo.orgUserId),
    })
    const rates = fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), rates, fc.boolean(), fc.nat(30), (bought, bps, split, briefing) => {
        const packages = bought.map((of, purchaseId) => credit(0, { ...of, purchaseId }))
        const taxRates = bps.map((points, index) => {
          return { name: `Tax ${index}`, basisPoints: basisPoints(points), appliesTo: [], locationIds: [] }
        })
        const rule = split ? 'split_evenly' : 'one_payer'
        const settings = { ...flight().settings, taxRates, chargeRules: { aircraft: rule, instruction: rule } } as const
        const bill = chargeFlight(flight({ payers: [ben, cleo], packages, settings, briefing: tenths(briefing) }))
        const whole = chargeFlight(flight({ payers: [ben, cleo], settings, briefing: tenths(briefing) }))
        for (const share of bill.shares) {
          expect(share.wholeCents).toBe(whole.shares.find(({ payer }) => payer === share.payer)?.amountCents)
          expect(share.amountCents === 0 || share.amountCents >= 50).toBe(true)
          expect(share.amountCents).toBeLessThanOrEqual(share.wholeCents)
          const lines = bill.lines.filter(({ payer }) => payer === share.payer)
          const taxes = share.taxes.reduce((sum, { taxCents }) => sum + taxCents, 0)
          expect(lines.reduce((sum, line) => sum + line.amountCents + line.taxCents, 0)).toBe(share.amountCents)
          expect(lines.reduce((sum, line) => sum + line.taxCents, 0)).toBe(taxes)
          for (const { purchaseId, quantity } of share.uses) {
            expect(quantity).toBeLessThanOrEqual(packages[purchaseId]?.remaining ?? 0)
          }
        }
      }),
    )
  })
})

describe('credits on the invoice of a package (§Invoices, packages)', () => {
  const figures = (creditedCents: number) => ({ totalCents: cents(100_000), creditedCents: cents(creditedCents) })

  test.for([
    // 70 of 100 tenths stay
    ['reduce it in proportion', 40, 30_000, { withdrawn: 30, remaining: 30, shortfallCents: 0 }],
    ['leave a part of a tenth to the school', 0, 30_001, { withdrawn: 31, remaining: 69, shortfallCents: 0 }],
    // 40 tenths are worth 40,000, of which 10,000 stay paid
    ['beyond what is unused leave a shortfall', 40, 90_000, { withdrawn: 90, remaining: 0, shortfallCents: 30_000 }],
    ['of all of it leave what was used', 40, 100_000, { withdrawn: 100, remaining: 0, shortfallCents: 40_000 }],
  ] as const)('%s', ([, used, credited, left]) => {
    expect(reducePackage({ granted: 100, used }, figures(credited))).toEqual(left)
  })

  test('by an admin are at most its unused part', () => {
    expect(creditableOf({ granted: 100, remaining: 60 }, cents(100_000))).toBe(60_000)
    expect(creditableOf({ granted: 3, remaining: 1 }, cents(100))).toBe(33)
    expect(creditableOf({ granted: 3, remaining: 0 }, cents(100))).toBe(ZERO)
  })
})
