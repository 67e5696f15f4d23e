import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { basisPoints, tenths } from '../../../src/shared/platform/kernel/units.ts'
import {
  type CreditFact,
  ceiling,
  creditSources,
  judgedAt,
  type RequirementTerms,
  requirementProgress,
} from '../../../src/shared/training/enrollments/requirement-progress.rules.ts'

const at = { now: new Date('2026-11-21T12:00:00Z'), zone: 'UTC' }
const fortyHours: RequirementTerms = {
  minTenths: tenths(400),
  minCount: null,
  maxSimulatorBps: null,
  maxTransferBps: null,
  recencyCalendarMonths: null,
}

let nextId = 1
const entry = (amount: number, given: Partial<CreditFact> = {}): CreditFact => ({
  id: nextId++,
  amount,
  source: 'lesson',
  clock: 'flight',
  occurredAt: new Date('2026-11-20T12:00:00Z'),
  reversesId: null,
  ...given,
})
const simulator = (amount: number) => entry(amount, { source: 'simulator', clock: null })
const transfer141 = (amount: number) => entry(amount, { source: 'transfer_141', clock: null })
const transfer61 = (amount: number) => entry(amount, { source: 'transfer_61', clock: null })

describe('a requirement (§Training)', () => {
  test('is met when as much is credited as it asks for', () => {
    expect(requirementProgress(fortyHours, [entry(250), entry(149)], at)).toEqual({
      required: 400,
      credited: 399,
      disallowed: { simulator: 0, transfer: 0, stale: 0 },
      remaining: 1,
      met: false,
    })
    expect(requirementProgress(fortyHours, [entry(250), entry(150)], at)).toMatchObject({ remaining: 0, met: true })
    expect(requirementProgress(fortyHours, [entry(450)], at)).toMatchObject({ credited: 450, remaining: 0, met: true })
  })

  test('counts events where it asks for a count', () => {
    const tenLandings = { ...fortyHours, minTenths: null, minCount: 10 }
    expect(requirementProgress(tenLandings, [entry(6, { clock: null })], at)).toMatchObject({
      credited: 6,
      remaining: 4,
    })
  })

  test('counts nothing of an entry that is reversed, nor of its reversal', () => {
    const wrong = entry(30)
    const entries = [entry(14), wrong, entry(-30, { reversesId: wrong.id })]
    expect(requirementProgress(fortyHours, entries, at)).toMatchObject({ credited: 14 })
  })
})

describe('the simulator ceiling (§Training, maxSimulatorBps)', () => {
  // 625 basis points of 40 hours are 2.5 hours.
  const terms = { ...fortyHours, maxSimulatorBps: basisPoints(625) }

  test('is shared by simulator entries and a lesson’s simulator clock', () => {
    const entries = [entry(100), entry(20, { clock: 'simulator' }), simulator(20)]
    expect(requirementProgress(terms, entries, at)).toMatchObject({ credited: 125, disallowed: { simulator: 15 } })
  })

  test('does not limit flight, instruction and hand-posted time', () => {
    const entries = [entry(100, { clock: 'instruction' }), entry(50, { source: 'manual', clock: null })]
    expect(requirementProgress(terms, entries, at)).toMatchObject({ credited: 150, disallowed: { simulator: 0 } })
  })

  test('does not apply when it is not set, and allows nothing at 0', () => {
    expect(requirementProgress(fortyHours, [simulator(300)], at)).toMatchObject({ credited: 300 })
    expect(requirementProgress({ ...terms, maxSimulatorBps: basisPoints(0) }, [simulator(300)], at)).toMatchObject({
      credited: 0,
      disallowed: { simulator: 300 },
    })
  })

  test('is a whole tenth, rounded down', () => {
    expect(ceiling(30, basisPoints(8333))).toBe(24)
    expect(ceiling(30, basisPoints(8334))).toBe(25)
    expect(ceiling(35, basisPoints(2000))).toBe(7)
  })
})

describe('the transfer ceiling (§Training, maxTransferBps)', () => {
  test('is half for an approved course and a quarter otherwise, each by itself, when it is not set', () => {
    expect(requirementProgress(fortyHours, [transfer141(230), transfer61(130)], at)).toMatchObject({
      credited: 200 + 100,
      disallowed: { transfer: 30 + 30 },
    })
  })

  test.each([
    ['a Part 141 school', transfer141(300), 175],
    ['Part 61', transfer61(300), 87],
  ])(
    'of the 35.0 hours of appendix B, for 30.0 flown under %s, is 17.5 or 8.75 (14 CFR 141.77(c))',
    (_, given, credited) => {
      const appendixB = { ...fortyHours, minTenths: tenths(350) }
      expect(requirementProgress(appendixB, [given], at)).toMatchObject({ credited })
    },
  )

  test('caps both kinds together when it is set', () => {
    const terms = { ...fortyHours, maxTransferBps: basisPoints(5000) }
    expect(requirementProgress(terms, [transfer141(150), transfer61(80)], at)).toMatchObject({
      credited: 200,
      disallowed: { transfer: 30 },
    })
  })
})

describe('the window of recency (§Training, recencyCalendarMonths)', () => {
  const terms = { ...fortyHours, recencyCalendarMonths: 2 }
  const on = (instant: string) => entry(10, { occurredAt: new Date(instant) })

  test('keeps what happened in a month until the end of its last month', () => {
    // September and two months more is the end of November.
    expect(requirementProgress(terms, [on('2026-09-01T00:00:00Z')], at)).toMatchObject({ credited: 10 })
    expect(requirementProgress(terms, [on('2026-08-31T23:59:59Z')], at)).toMatchObject({
      credited: 0,
      disallowed: { stale: 10 },
    })
    const lastMoment = { ...at, now: new Date('2026-11-30T23:59:59.999Z') }
    const december = { ...at, now: new Date('2026-12-01T00:00:00Z') }
    expect(requirementProgress(terms, [on('2026-09-01T00:00:00Z')], lastMoment)).toMatchObject({ credited: 10 })
    expect(requirementProgress(terms, [on('2026-09-01T00:00:00Z')], december)).toMatchObject({ credited: 0 })
  })

  test('is counted in months of the school’s zone', () => {
    // In New York it is still August 31.
    const entries = [on('2026-09-01T02:00:00Z')]
    expect(requirementProgress(terms, entries, { ...at, zone: 'America/New_York' })).toMatchObject({ credited: 0 })
    expect(requirementProgress(terms, entries, at)).toMatchObject({ credited: 10 })
  })

  test('applies before the ceilings: credit that is too old uses up none of them', () => {
    const stale = entry(25, { source: 'simulator', clock: null, occurredAt: new Date('2026-01-01T00:00:00Z') })
    const capped = { ...terms, maxSimulatorBps: basisPoints(625) }
    expect(requirementProgress(capped, [stale, simulator(25)], at)).toMatchObject({
      credited: 25,
      disallowed: { stale: 25, simulator: 0 },
    })
  })
})

describe('the window of days (§Training, recencyDays)', () => {
  // 14 CFR 141 Appendix B: three hours of preparation within 60 days before the test.
  const preparation = { ...fortyHours, minTenths: tenths(30), recencyDays: 60 }
  const trained = [entry(30, { occurredAt: new Date('2026-05-20T20:00:00Z') })]

  test.each([
    ['2026-07-19', true],
    ['2026-07-20', false],
  ])('counts local days: 3.0 hours of 2026-05-20 and a test on %s', (day, met) => {
    const judged = { now: new Date(`${day}T16:00:00Z`), zone: 'America/Los_Angeles' }
    expect(requirementProgress(preparation, trained, judged)).toMatchObject({
      met,
      disallowed: { stale: met ? 0 : 30 },
    })
  })
})

test('the window of 60 days before a test on 2026-07-20 begins with 2026-05-21 (§Training, recencyDays)', () => {
  const preparation = { ...fortyHours, minTenths: tenths(30), recencyDays: 60 }
  const judged = { now: new Date('2026-07-20T16:00:00Z'), zone: 'America/Los_Angeles' }
  const met = (day: string) =>
    requirementProgress(preparation, [entry(30, { occurredAt: new Date(`${day}T20:00:00Z`) })], judged).met
  expect(['2026-05-20', '2026-05-21'].map(met)).toEqual([false, true])
})

describe('the instant at which recency is judged (§Enrollment, plannedTestAt)', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const planned = new Date('2026-06-02T16:00:00Z')

  test('is the planned test while it is ahead, else now', () => {
    expect(judgedAt({ plannedTestAt: planned }, now)).toEqual(planned)
    expect(judgedAt({ plannedTestAt: planned }, new Date('2026-06-03T00:00:00Z'))).toEqual(
      new Date('2026-06-03T00:00:00Z'),
    )
    expect(judgedAt({ plannedTestAt: null }, now)).toEqual(now)
  })

  test('is the end of an enrollment that has ended', () => {
    const endedAt = new Date('2026-04-20T12:00:00Z')
    expect(judgedAt({ endedAt, plannedTestAt: planned }, now)).toEqual(endedAt)
  })

  // 14 CFR 61.109(a)(4): three hours within two calendar months before the month of the test.
  test.each([
    ['2026-05-20', 30],
    ['2026-06-02', 20],
  ])('decides what counts: 1.0 of 2026-03-28 and 2.0 of 2026-04-15 for a test on %s', (day, credited) => {
    const preparation = { ...fortyHours, minTenths: tenths(30), recencyCalendarMonths: 2 }
    const entries = [
      entry(10, { occurredAt: new Date('2026-03-28T18:00:00Z') }),
      entry(20, { occurredAt: new Date('2026-04-15T18:00:00Z') }),
    ]
    const judged = { now: judgedAt({ plannedTestAt: new Date(`${day}T16:00:00Z`) }, now), zone: 'America/Los_Angeles' }
    expect(requirementProgress(preparation, entries, judged)).toMatchObject({ credited })
  })
})

const fact = fc.record({
  amount: fc.integer({ min: 1, max: 5000 }),
  source: fc.constantFrom(...creditSources),
  clock: fc.constantFrom('flight' as const, 'simulator' as const, null),
  occurredAt: fc.date({ min: new Date('2025-01-01'), max: at.now, noInvalidDate: true }),
  reversed: fc.boolean(),
})
const ledger = fc.array(fact, { maxLength: 30 }).map((facts) =>
  facts.flatMap(({ reversed, ...given }, index) => {
    const id = 2 * index + 1
    const posted: CreditFact = { id, reversesId: null, ...given }
    const reversal = { ...posted, id: id + 1, amount: -posted.amount, reversesId: id }
    return reversed ? [posted, reversal] : [posted]
  }),
)
const bps = fc.option(fc.integer({ min: 0, max: 10_000 }).map(basisPoints), { nil: null })
const requirement = fc.record({
  minTenths: fc.integer({ min: 1, max: 4000 }).map(tenths),
  minCount: fc.constant(null),
  maxSimulatorBps: bps,
  maxTransferBps: bps,
  recencyCalendarMonths: fc.option(fc.integer({ min: 1, max: 24 }), { nil: null }),
})

describe('for any ledger', () => {
  const standingEntries = (entries: CreditFact[]) => {
    const reversed = new Set(entries.map((one) => one.reversesId))
    return entries.filter((one) => one.reversesId === null && !reversed.has(one.id))
  }
  const sum = (entries: CreditFact[]) => entries.reduce((total, one) => total + one.amount, 0)

  test('credited and disallowed amounts add up to what stands on it', () => {
    fc.assert(
      fc.property(requirement, ledger, (terms, entries) => {
        const { credited, disallowed } = requirementProgress(terms, entries, at)
        const { simulator: over, transfer, stale } = disallowed
        expect(credited + over + transfer + stale).toBe(sum(standingEntries(entries)))
        expect(Math.min(credited, over, transfer, stale)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('the ceilings hold in any order of its entries', () => {
    fc.assert(
      fc.property(requirement, ledger, fc.array(fc.nat(), { maxLength: 60 }), (terms, entries, keys) => {
        const standing = requirementProgress(terms, entries, at)
        const shuffled = entries
          .map((one, index) => ({ one, key: keys[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one)
        expect(requirementProgress(terms, shuffled, at)).toEqual(standing)
        const only = (kept: (one: CreditFact) => boolean) =>
          requirementProgress(terms, entries.filter(kept), at).credited
        if (terms.maxSimulatorBps !== null) {
          expect(only(({ source }) => source === 'simulator')).toBeLessThanOrEqual(
            ceiling(terms.minTenths, terms.maxSimulatorBps),
          )
        }
        if (terms.maxTransferBps !== null) {
          expect(only(({ source }) => source.startsWith('transfer'))).toBeLessThanOrEqual(
            ceiling(terms.minTenths, terms.maxTransferBps),
          )
        }
      }),
    )
  })

  test('more credit never makes a requirement worse', () => {
    fc.assert(
      fc.property(requirement, ledger, fact, (terms, entries, { reversed: _, ...more }) => {
        const before = requirementProgress(terms, entries, at)
        const after = requirementProgress(terms, [...entries, { ...more, id: 10_000, reversesId: null }], at)
        expect(after.credited).toBeGreaterThanOrEqual(before.credited)
      }),
    )
  })
})
