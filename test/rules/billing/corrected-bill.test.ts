import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  creditsOfCorrection,
  type StandingInvoice,
} from '../../../src/shared/billing/credit-notes/corrected-bill.rules.ts'
import { chargeFlight, isBillable } from '../../../src/shared/billing/flight-bill/flight-bill.rules.ts'
import { type FlightCharge, samePayer } from '../../../src/shared/billing/flight-bill/flight-bill.types.ts'
import {
  basisPoints,
  type Cents,
  cents,
  hundredths,
  minus,
  sum,
  tenths,
  ZERO,
} from '../../../src/shared/platform/kernel/units.ts'
import { ben, cleo, dora, flight, resource } from './a-flight.ts'

/** Returns the invoices of a flight as they are raised. */
function raise(of: FlightCharge): StandingInvoice[] {
  const bill = chargeFlight(of)
  return bill.shares.filter(isBillable).map(({ payer, amountCents, taxes }, id) => ({
    id,
    payer,
    taxes,
    leftCents: amountCents,
    lines: bill.lines.flatMap((line, lineId) =>
      line.payer && samePayer(line.payer, payer)
        ? [{ ...line, id: lineId, creditedCents: ZERO, creditedTaxCents: ZERO }]
        : [],
    ),
  }))
}

/** Returns the flight with the Hobbs back so many hundredths of an hour earlier. */
function shorter({ readings, briefing }: FlightCharge, by: number, lessBriefing = 0) {
  const hobbsIn = hundredths(Math.max(readings.hobbsOut ?? 0, (readings.hobbsIn ?? 0) - by))
  return { readings: { ...readings, hobbsIn }, briefing: briefing && tenths(Math.max(0, briefing - lessBriefing)) }
}

function creditsOf(of: FlightCharge, after: ReturnType<typeof shorter>, invoices = raise(of)) {
  const made = creditsOfCorrection(of, after, invoices)
  return made.problem === null
    ? made.credits.map(({ invoiceId, amountCents }) => [invoiceId, amountCents])
    : made.problem
}

const rental = flight({ type: 'rental', instructor: null, resource: { ...resource, wetRate: cents(18_000) } })
const hour = { ...rental, readings: { ...rental.readings, hobbsIn: hundredths(123_560) } }

describe('the credits of a corrected flight (§Reservations, correct)', () => {
  test('are the difference at the price of the invoice: 1.1 h at 180.00 to 0.8 h', () => {
    expect(creditsOf(hour, shorter(hour, 30))).toEqual([[0, 5_400]])
  })

  test('keep the price of the invoice when the aircraft costs another one now', () => {
    const now = { ...hour, resource: { ...resource, wetRate: cents(30_000) } }
    expect(creditsOf(now, shorter(now, 30), raise(hour))).toEqual([[0, 5_400]])
  })

  test('are none when the billed hours stay, and all of it below 50 cents', () => {
    expect(creditsOf(hour, shorter(hour, 4))).toEqual([])
    expect(creditsOf(hour, shorter(hour, 110))).toEqual([[0, 19_800]])
  })

  test('do not follow where the invoice has no line of hours, or a payer has none', () => {
    const [invoice] = raise(hour)
    const plain = { ...invoice!, lines: invoice!.lines.map((line) => ({ ...line, kind: 'other', unit: 'piece' })) }
    expect(creditsOf(hour, shorter(hour, 30), [plain])).toMatch('do not follow from the hours')
    expect(creditsOf(hour, shorter(hour, 30), [])).toMatch('do not follow from the hours')
  })

  test('do not follow where a payer would pay more, as the stakes were others: 119.16 of 148.96 instead of 115.85', () => {
    const divided = (first: number) =>
      flight({
        payers: [ben, cleo],
        stakes: [
          { ...ben, kind: 'percentage', percentageBps: basisPoints(first) },
          { ...cleo, kind: 'percentage', percentageBps: basisPoints(10_000 - first) },
        ],
      })
    const after = shorter(divided(5_000), 45)
    expect(creditsOf(divided(8_000), after, raise(divided(5_000)))).toMatch('A payer would pay more than before')
    expect(creditsOf(divided(5_000), after)).toHaveLength(2)
  })

  test('leave each payer what a new invoice of the corrected flight would ask, whatever the division, taxes and prices', () => {
    const share = fc.integer({ min: 500, max: 4_000 })
    const drawn = fc.record({
      rate: fc.integer({ min: 5_000, max: 40_000 }),
      ran: fc.integer({ min: 60, max: 600 }),
      by: fc.integer({ min: 0, max: 60 }),
      briefing: fc.option(fc.integer({ min: 0, max: 20 })),
      stakes: fc.option(fc.tuple(share, share)),
      rule: fc.constantFrom('one_payer', 'split_evenly'),
      tax: fc.integer({ min: 0, max: 1_500 }),
      payers: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(drawn, ({ rate, ran, by, briefing, stakes, rule, tax, payers }) => {
        const all = [ben, cleo, dora].slice(0, stakes ? 3 : payers)
        const [first = 0, second = 0] = stakes ?? []
        const parts = [first, second, 10_000 - first - second]
        const of = flight({
          resource: { ...resource, wetRate: cents(rate) },
          payers: all,
          briefing: briefing === null ? null : tenths(briefing),
          stakes: stakes
            ? all.map((payer, index) => ({ ...payer, kind: 'percentage', percentageBps: basisPoints(parts[index]!) }))
            : [],
        })
        const taxRates = [
          { name: 'Sales', basisPoints: basisPoints(tax), appliesTo: ['aircraft'], locationIds: [] },
          { name: 'City', basisPoints: basisPoints(130), appliesTo: [], locationIds: [] },
        ]
        const chargeRules = { aircraft: rule, instruction: rule } as const
        const flown = {
          ...of,
          readings: { ...of.readings, hobbsIn: hundredths((of.readings.hobbsOut ?? 0) + ran) },
          settings: { ...of.settings, taxRates, chargeRules },
        }
        const invoices = raise(flown)
        const after = shorter(flown, by)
        const made = creditsOfCorrection(flown, after, invoices)
        if (made.problem !== null) throw new Error(made.problem)
        const fresh = chargeFlight({ ...flown, ...after }).shares
        for (const { id, payer, leftCents } of invoices) {
          const credit = made.credits.find(({ invoiceId }) => invoiceId === id)
          const wanted: Cents = fresh.find((one) => samePayer(one.payer, payer))?.amountCents ?? ZERO
          const left = minus(leftCents, credit?.amountCents ?? ZERO)
          if (left !== (wanted < 50 ? 0 : wanted)) expect({ left, credit }).toEqual({ left: wanted })
          if (credit && credit.items.length > 0)
            expect(sum(credit.items.map((item) => item.amountCents))).toBe(credit.amountCents)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
