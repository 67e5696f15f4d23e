import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CreditedItem, creditLines, taxOfCredit } from '../../../src/shared/billing/credit-notes/credit.rules.ts'
import { chargeFlight } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import { taxLines } from '../../../src/shared/billing/flight-bill/taxes.rules.ts'
import type { TaxRate, TaxTerms } from '../../../src/shared/identity/organizations/taxes.rules.ts'
import { basisPoints, cents, hundredths, minus, plus, sum, ZERO } from '../../../src/shared/platform/kernel/units.ts'
import { ben, cleo, flight } from './a-flight.ts'

const rate = (over: Partial<TaxRate> = {}): TaxRate => ({
  name: 'Sales tax',
  basisPoints: basisPoints(725),
  appliesTo: [],
  locationIds: [],
  ...over,
})
const line = (kind: string, amount: number, taxable?: number) => ({
  kind,
  description: kind,
  quantityHundredths: hundredths(100),
  unit: 'piece',
  unitPrice: cents(amount),
  amountCents: cents(amount),
  ...(taxable !== undefined && { taxableCents: cents(taxable) }),
})
const terms = (rates: TaxRate[], over: Partial<TaxTerms> = {}): TaxTerms => ({
  rates,
  exempt: false,
  locationId: null,
  ...over,
})
const taxesOf = (lines: ReturnType<typeof line>[], one: TaxTerms) => taxLines(lines, one).lines.map((l) => l.taxCents)

describe('the taxes of lines (§Invoices, taxes)', () => {
  test.for([
    // 20,000 × 7.25 % = 1,450; 999 × 7.25 % = 72.4275
    ['every kind when the rate names none', [line('aircraft', 20_000), line('other', 999)], rate(), [1450, 72]],
    [
      'the kinds that it names',
      [line('aircraft', 20_000), line('ground_instruction', 5_000)],
      rate({ appliesTo: ['aircraft'] }),
      [1450, 0],
    ],
    // 100 × 0.5 % = 0.5
    ['half a cent, which is rounded up', [line('other', 100)], rate({ basisPoints: basisPoints(50) }), [1]],
    ['a discount as much as the charge', [line('other', -100)], rate({ basisPoints: basisPoints(50) }), [-1]],
    // What a package leaves, 5,000, × 7.25 % = 362.5
    [
      'what a package leaves of a line',
      [line('aircraft', 20_000, 5_000), line('package_credit', -15_000)],
      rate(),
      [363, 0],
    ],
  ] as const)('are worked out on %s', ([, lines, one, expected]) => {
    expect(taxesOf([...lines], terms([one]))).toEqual(expected)
  })

  test('are each rate by itself, and shown by rate with what it was worked out on', () => {
    // 333 × 5 % = 16.65 → 17; 333 × 3 % = 9.99 → 10; 222 × 5 % = 11.1 → 11
    const rates = [
      rate({ name: 'State', basisPoints: basisPoints(500) }),
      rate({ name: 'County', basisPoints: basisPoints(300), appliesTo: ['aircraft'] }),
    ]
    expect(taxLines([line('aircraft', 333), line('other', 222)], terms(rates))).toMatchObject({
      lines: [{ taxCents: 27 }, { taxCents: 11 }],
      taxes: [
        { name: 'State', basisPoints: 500, taxableCents: 555, taxCents: 28 },
        { name: 'County', basisPoints: 300, taxableCents: 333, taxCents: 10 },
      ],
      taxCents: 38,
      totalCents: 593,
    })
  })

  test.for([
    ['at a location of the rate', { locationId: 7 }, 1450],
    ['at another', { locationId: 8 }, 0],
    ['for what is no flight', { locationId: null }, 0],
    ['for a payer who is exempt', { locationId: 7, exempt: true }, 0],
  ] as const)('with a location: %s', ([, over, tax]) => {
    expect(taxesOf([line('aircraft', 20_000)], terms([rate({ locationIds: [7] })], over))).toEqual([tax])
  })

  test('are within the price of a package, whose line becomes smaller by them', () => {
    // 10,725 × 725 ÷ 10,725 = 725
    expect(taxLines([line('package', 10_725)], terms([rate()]))).toMatchObject({
      lines: [{ unitPrice: 10_000, amountCents: 10_000, taxCents: 725 }],
      taxes: [{ taxableCents: 10_000, taxCents: 725 }],
      totalCents: 10_725,
    })
  })
})

describe('the taxes of a flight that is shared (§Reservations rule 5)', () => {
  test('are worked out on each payer’s lines, and the shares add up to the total', () => {
    const taxRates = [rate({ appliesTo: ['aircraft'] })]
    const chargeRules = { aircraft: 'split_evenly', instruction: 'split_evenly' } as const
    const bill = chargeFlight(
      flight({ payers: [ben, cleo], taxExempt: [cleo], settings: { ...flight().settings, taxRates, chargeRules } }),
    )
    // Aircraft 23,170 in halves of 11,585; 11,585 × 7.25 % = 839.9125 → 840. Instruction 9,100 in halves. Cleo is exempt.
    expect(bill.shares).toMatchObject([
      { payer: ben, amountCents: 16_975, taxes: [{ taxableCents: 11_585, taxCents: 840 }] },
      { payer: cleo, amountCents: 16_135, taxes: [] },
    ])
    expect(bill.totalCents).toBe(33_110)
  })
})

describe('the tax within credits (§Invoices)', () => {
  const invoice = { totalCents: cents(10_725), taxCents: cents(725), creditedCents: ZERO }

  test.for([
    // 5,000 × 725 ÷ 10,725 = 337.995…
    ['its part of the invoice’s', 0, 0, 5_000, 338],
    ['what is left of it, once nothing else is left', 5_000, 338, 5_725, 387],
  ] as const)('is %s', ([, credited, before, amount, tax]) => {
    const found = taxOfCredit({ ...invoice, creditedCents: cents(credited) }, cents(before), {
      amountCents: cents(amount),
      items: [],
    })
    expect(found).toBe(tax)
  })

  test('is that of the lines, when lines are credited', () => {
    const lines = [
      { id: 1, description: 'Aircraft', amountCents: cents(10_000), taxCents: cents(725) },
      { id: 2, description: 'Books', amountCents: cents(4_000), taxCents: ZERO },
    ]
    // 429 × 725 ÷ 10,725 = 29
    const { items } = creditLines(
      lines,
      [],
      [
        { itemId: 1, amountCents: cents(429) },
        { itemId: 2, amountCents: cents(4_000) },
      ],
    )
    const whole = { totalCents: cents(14_725), taxCents: cents(725), creditedCents: ZERO }
    expect(taxOfCredit(whole, ZERO, { amountCents: cents(4_429), items })).toBe(29)
  })

  test('of any credits adds up to the invoice’s tax when all of it is credited', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 8 }),
        (net, bps, amounts) => {
          const { taxCents, totalCents } = taxLines(
            [line('other', net)],
            terms([rate({ basisPoints: basisPoints(bps) })]),
          )
          let [creditedCents, before] = [ZERO as ReturnType<typeof cents>, ZERO as ReturnType<typeof cents>]
          for (const asked of [...amounts, totalCents]) {
            const amountCents = cents(Math.min(asked, minus(totalCents, creditedCents)))
            if (amountCents === 0) continue
            const none: CreditedItem[] = []
            const tax = taxOfCredit({ totalCents, taxCents, creditedCents }, before, { amountCents, items: none })
            expect(tax).toBeGreaterThanOrEqual(0)
            expect(tax).toBeLessThanOrEqual(amountCents)
            creditedCents = plus(creditedCents, amountCents)
            before = sum([before, tax])
          }
          expect(before).toBe(taxCents)
        },
      ),
    )
  })
})
