import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instrumentRecency } from '../../../src/shared/qualification/currencies/instrument.rules.ts'
import type { RenewingCheck } from '../../../src/shared/qualification/currencies/recency.types.ts'
import { flown, single } from './pilot-flights.ts'

const all = { approaches: 6, holds: 1 }
const check = (day: string): RenewingCheck => ({ kind: 'endorsement', id: 7, at: new Date(`${day}T18:00:00Z`), day })
const march = flown('2026-03-20', all)

describe('the instrument recency (14 CFR 61.57(c))', () => {
  test.for([
    ['six approaches and a hold', [march], [], '2026-04-01', '2026-09-30'],
    [
      'four approaches in February, the rest in June',
      [flown('2026-02-10', { approaches: 4 }), flown('2026-06-05', { approaches: 2, holds: 1 })],
      [],
      '2026-06-10',
      '2026-08-31',
    ],
    [
      'an older hold',
      [flown('2026-01-15', { holds: 1 }), flown('2026-06-05', { approaches: 6 })],
      [],
      '2026-06-10',
      '2026-07-31',
    ],
    ['a check', [], [check('2026-10-12')], '2026-10-20', '2027-04-30'],
    ['a check after a lapse', [march], [check('2027-04-12')], '2027-04-20', '2027-10-31'],
    ['own practice on the last day of the grace', [march, flown('2027-03-31', all)], [], '2027-04-20', '2027-09-30'],
    ['own practice a day later', [march, flown('2027-04-01', all)], [], '2027-04-20', '2026-09-30'],
    [
      'practice begun in the grace and completed after it',
      [march, flown('2027-03-20', { approaches: 5, holds: 1 }), flown('2027-04-02', { approaches: 1 })],
      [],
      '2027-04-20',
      '2026-09-30',
    ],
    ['five approaches', [flown('2026-03-20', { approaches: 5, holds: 1 })], [], '2026-04-01', null],
    ['no hold', [flown('2026-03-20', { approaches: 6 })], [], '2026-04-01', null],
    ['a helicopter', [flown('2026-03-20', all, { ...single, category: 'helicopter' })], [], '2026-04-01', null],
    ['a device', [{ ...march, device: true, aircraft: { ...single, category: null } }], [], '2026-04-01', '2026-09-30'],
    ['practice that is still to come', [march], [], '2026-03-19', null],
  ] as const)('counts %s', ([_what, flights, checks, today, validUntil]) => {
    expect(instrumentRecency('airplane', flights, checks, today).validUntil).toBe(validUntil)
  })

  test.for([
    [
      'to keep it',
      '2026-04-01',
      [
        { action: 'approaches', count: 6 },
        { action: 'holding', count: 1 },
      ],
      '2026-09-30',
    ],
    [
      'in the grace',
      '2026-10-01',
      [
        { action: 'approaches', count: 6 },
        { action: 'holding', count: 1 },
      ],
      '2027-03-31',
    ],
    ['on the last day of the grace', '2027-03-31', [{ action: 'approaches' }, { action: 'holding' }], '2027-03-31'],
    ['after the grace only a check', '2027-04-01', [{ action: 'check', count: null }], null],
  ] as const)('says what is needed %s', ([_what, today, needs, by]) => {
    const recency = instrumentRecency('airplane', [march], [], today)
    expect(recency).toMatchObject({ validUntil: '2026-09-30', graceUntil: '2027-03-31' })
    expect(recency.needs).toMatchObject(needs.map((need) => ({ ...need, by })))
  })

  test('shows the approaches and the hold that it counts, or the check', () => {
    const flights = [flown('2026-03-20', all), flown('2026-03-25', { approaches: 2 })]
    expect(instrumentRecency('airplane', flights, [], '2026-04-01').evidence).toMatchObject([
      { kind: 'flight', id: 20260325, counted: 2 },
      { kind: 'flight', id: 20260320, counted: 4 },
    ])
    expect(instrumentRecency('airplane', flights, [check('2026-04-01')], '2026-04-02').evidence).toMatchObject([
      { kind: 'endorsement', id: 7 },
    ])
  })
})

const from = Date.UTC(2025, 0, 1)
const months = Array.from({ length: 801 }, (_, offset) => {
  const day = new Date(from + offset * 86_400_000)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
})
const since = (then: number, now: number) => months[now]! - months[then]!
const day = (offset: number) => new Date(from + offset * 86_400_000).toISOString().slice(0, 10)

interface Plan {
  flights: { offset: number; approaches: number; holds: number }[]
  checks: number[]
}

/** Judges each day until `to` by itself: the calendar months before it, and whether the last good day is too long ago. */
function isCurrentOn(to: number, { flights, checks }: Plan): boolean {
  let good = false
  let lastGood: number | null = null
  for (let today = 0; today <= to; today++) {
    const within = flights.filter(({ offset }) => offset <= today && since(offset, today) <= 6)
    const flown = within.reduce((sum, { approaches }) => sum + approaches, 0) >= 6
    const held = within.some(({ holds }) => holds > 0)
    const checked = checks.some((offset) => offset <= today && since(offset, today) <= 6)
    const locked = lastGood !== null && since(lastGood, today) > 6
    good = checked || (flown && held && !locked)
    if (good) lastGood = today
  }
  return good
}

test('a pilot is current on exactly the days that a judgement day by day finds', () => {
  const offset = fc.integer({ min: 0, max: 700 })
  const flight = fc.record({
    offset,
    approaches: fc.integer({ min: 0, max: 6 }),
    holds: fc.integer({ min: 0, max: 1 }),
  })
  const plans = fc.record({
    flights: fc.array(flight, { maxLength: 8 }),
    checks: fc.array(offset, { maxLength: 2 }),
  })
  fc.assert(
    fc.property(plans, fc.integer({ min: 0, max: 800 }), (plan, today) => {
      const flights = plan.flights.map(({ offset, ...figures }) => flown(day(offset), figures))
      const checks = plan.checks.map((days) => check(day(days)))
      const { validUntil } = instrumentRecency('airplane', flights, checks, day(today))
      expect(validUntil !== null && validUntil >= day(today)).toBe(isCurrentOn(today, plan))
    }),
  )
})
