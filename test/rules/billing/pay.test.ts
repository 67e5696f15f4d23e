import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instructorHours } from '../../../src/shared/billing/flight-bill/charges.rules.ts'
import {
  addPay,
  adjustFlight,
  type PaidLine,
  type PayLine,
  payFlight,
  payOf,
  type SignedFlight,
  unpaidOf,
} from '../../../src/shared/billing/pay-runs/pay.rules.ts'
import { type Cents, cents, hundredths, sum, type Tenths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import { at } from '../scheduling/booking-facts.ts'

const [ana, ben] = [2, 3]
const rate = (perHour: number | null) => (perHour === null ? null : cents(perHour))
const rates = (flight: number | null, ground: number | null, sim: number | null) => ({
  flight: rate(flight),
  ground: rate(ground),
  sim: rate(sim),
})
const hours = (flight: number, ground = 0, sim = 0) => ({
  flight: tenths(flight),
  ground: tenths(ground),
  sim: tenths(sim),
})

/** Ana's dual: 1.4 h flown, 0.3 h of briefing, at $45, $30 and $35 an hour. */
function flight(over: Partial<SignedFlight> = {}): SignedFlight {
  return {
    reservationId: 1,
    orgUserId: ana,
    hours: hours(14, 3),
    rates: rates(4_500, 3_000, 3_500),
    longBriefing: false,
    onBehalf: false,
    corrected: false,
    signedOffAt: at('2026-06-02T18:00:00Z'),
    ...over,
  }
}

const told = (lines: readonly PayLine[]) =>
  lines.map(({ orgUserId, adjustment, hours: { flight: flown, ground, sim }, amountCents }) => [
    ...[orgUserId, adjustment, flown, ground, sim, amountCents],
  ])

describe('the time of an instructor (§Resource, cost)', () => {
  const booked = { start: at('2026-06-02T10:00:00Z'), end: at('2026-06-02T12:00:00Z') }
  const read = (out: number | null, back: number | null) => ({
    hobbsOut: out === null ? null : hundredths(out),
    hobbsIn: back === null ? null : hundredths(back),
    tachOut: hundredths(0),
    tachIn: hundredths(110),
  })
  test.each([
    ['a dual: Hobbs, 1.35 h is 1.4', 'dual', 'plane', read(1_000, 1_135), null, [14, 0, 0]],
    ['a dual with a briefing', 'dual', 'plane', read(1_000, 1_134), 3, [13, 0, 3]],
    ['a ground lesson: its briefing', 'ground', 'room', read(null, null), 20, [0, 0, 20]],
    ['a ground lesson without a room', 'ground', null, read(null, null), 15, [0, 0, 15]],
    ['a sim lesson by the meter, its briefing on the ground', 'sim', 'simulator', read(500, 610), 5, [0, 11, 5]],
    ['a sim lesson without meters: the booked time', 'sim', 'simulator', read(null, null), null, [0, 20, 0]],
    ['a sim lesson without a simulator: its briefing', 'sim', null, read(null, null), 18, [0, 18, 0]],
    ['a plane without readings', 'dual', 'plane', read(null, null), null, [0, 0, 0]],
  ] as const)('of %s', (_what, type, kind, readings, briefing, [flown, sim, ground]) => {
    const given = {
      type,
      booked,
      resource: kind && { kind },
      readings,
      briefing: briefing === null ? null : tenths(briefing),
    }
    expect(instructorHours(given)).toEqual({ flight: flown, sim, ground })
  })
})

describe('the pay of a flight (§Pay runs)', () => {
  test.each([
    // 1.4 × $45.00 = $63.00; 0.3 × $30.00 = $9.00.
    ['each kind of time at its rate', hours(14, 3), rates(4_500, 3_000, 3_500), 7_200],
    // 0.7 × $45.05 = $31.535, and 0.1 × $30.05 = $3.005: each is rounded up by itself.
    ['each rounded half up', hours(7, 1), rates(4_505, 3_005, null), 3_154 + 301],
    ['nothing for time without a rate', hours(14, 3, 5), rates(4_500, null, null), 6_300],
    ['nothing for no time', hours(0), rates(4_500, 3_000, 3_500), 0],
  ])('is %s', (_what, worked, at, pay) => {
    expect(payOf(worked, at)).toBe(pay)
  })

  test('is in a run once any of its time has a rate', () => {
    expect(told([payFlight(flight())!])).toEqual([[ana, false, 14, 3, 0, 7_200]])
    expect(told([payFlight(flight({ rates: rates(null, 3_000, null) }))!])).toEqual([[ana, false, 14, 3, 0, 900]])
    expect(payFlight(flight({ rates: rates(null, null, 3_500) }))).toBeNull()
    expect(payFlight(flight({ orgUserId: null }))).toBeNull()
    expect(payFlight(flight({ hours: hours(0) }))).toBeNull()
  })

  test('says what has no rate: flights that are left, and time on those that are paid', () => {
    const unpaid = flight({ rates: rates(null, null, null) })
    const partly = flight({ orgUserId: ben, rates: rates(4_500, null, null) })
    expect(unpaidOf([flight(), unpaid, unpaid, partly, partly, flight({ hours: hours(0) })])).toEqual([
      { orgUserId: ana, left: 2, hours: hours(0) },
      { orgUserId: ben, left: 0, hours: hours(0, 6) },
    ])
  })

  test('adds up by instructor', () => {
    const both = addPay(addPay(undefined, flight()), flight({ hours: hours(0, 0, 11) }))
    // $72.00, and 1.1 × $35.00 = $38.50.
    expect(both).toEqual({ flights: 2, hours: { flight: 14, ground: 3, sim: 11 }, amountCents: 11_050 })
  })
})

describe('an adjustment of a flight that a run has paid (§Pay runs)', () => {
  const paid: PaidLine[] = [payFlight(flight())!]

  test.each([
    ['less time takes pay back', hours(12, 3), [[ana, true, -2, 0, 0, -900]]],
    ['more time pays the rest', hours(14, 8), [[ana, true, 0, 5, 0, 1_500]]],
    ['one kind more and another less', hours(15, 0), [[ana, true, 1, -3, 0, 450 - 900]]],
    ['the same figures are none', hours(14, 3), []],
  ])('%s', (_what, worked, lines) => {
    expect(told(adjustFlight(flight({ hours: worked }), paid))).toEqual(lines)
  })

  test('is at the rates at which the flight was paid', () => {
    const raised = { hours: hours(16, 3), rates: rates(9_000, 9_000, 9_000) }
    // 1.6 × $45.00 = $72.00, of which $63.00 is paid.
    expect(told(adjustFlight(flight(raised), paid))).toEqual([[ana, true, 2, 0, 0, 900]])
  })

  test('comes to the pay of the present figures to the cent, however often they change', () => {
    // At $45.05: 0.7 h is $31.54, 0.5 h is $22.53 (22.525), 0.6 h is $27.03.
    const odd = rates(4_505, null, null)
    const first = payFlight(flight({ hours: hours(7), rates: odd }))!
    const second = adjustFlight(flight({ hours: hours(5), rates: odd }), [first])
    const third = adjustFlight(flight({ hours: hours(6), rates: odd }), [first, ...second])
    expect([first, ...second, ...third].map((line) => line.amountCents)).toEqual([3_154, -901, 450])
  })

  test('takes all back from an instructor whose place another took, who is paid at their own rates', () => {
    const changed = flight({ orgUserId: ben, rates: rates(6_000, null, null), longBriefing: true })
    const lines = adjustFlight(changed, paid)
    expect(told(lines)).toEqual([
      [ana, true, -14, -3, 0, -7_200],
      [ben, true, 14, 3, 0, 8_400],
    ])
    expect(lines.map(({ longBriefing }) => longBriefing)).toEqual([false, true])
    expect(told(adjustFlight(flight({ orgUserId: null }), paid))).toEqual([[ana, true, -14, -3, 0, -7_200]])
  })

  test('leaves each instructor with the pay of the present figures, after any corrections', () => {
    const aRate = fc.option(fc.integer({ min: 1, max: 20_000 }).map(cents))
    const someRates = fc.record({ flight: aRate, ground: aRate, sim: aRate })
    const some = fc.integer({ min: 0, max: 240 }).map(tenths)
    const someHours = fc.record({ flight: some, ground: some, sim: some })
    const corrections = fc.array(
      fc.record({ hours: someHours, rates: someRates, who: fc.constantFrom(ana, ben, null) }),
    )
    fc.assert(
      fc.property(someHours, someRates, corrections, (worked, at, changes) => {
        const first = payFlight(flight({ hours: worked, rates: at }))
        fc.pre(first !== null)
        const lines: PayLine[] = [first]
        const rateOf = new Map([[ana, at]])
        let present = flight({ hours: worked, rates: at })
        for (const { who, ...change } of changes) {
          present = flight({ ...change, orgUserId: who })
          if (who !== null && !rateOf.has(who)) rateOf.set(who, change.rates)
          lines.push(...adjustFlight(present, lines))
        }
        for (const who of [ana, ben]) {
          const own = lines.filter((line) => line.orgUserId === who)
          const due: Cents =
            who === present.orgUserId ? payOf(present.hours, own[0]?.rates ?? rateOf.get(who)!) : cents(0)
          expect(sum(own.map((line) => line.amountCents))).toBe(due)
          const flown: Tenths = who === present.orgUserId ? present.hours.flight : tenths(0)
          expect(sum(own.map((line) => line.hours.flight))).toBe(flown)
        }
        expect(lines.filter((line) => !line.adjustment)).toHaveLength(1)
      }),
      { numRuns: 5_000 },
    )
  })
})
