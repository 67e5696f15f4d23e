import { describe, expect, test } from 'vitest'
import { type OutlookFacts, outlookOf, type PricedFlight } from '../../../src/shared/insight/reports/outlook.rules.ts'
import { cents, hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'

const flight = (orgUserId: number, hours: number, price: number): PricedFlight => ({
  orgUserId,
  hundredths: hundredths(Math.round(hours * 100)),
  cents: cents(price),
})
const none = [0, 0, 0, 0, 0, 0, 0, 0]
/** 20 lessons and 30.0 hours are left, with nothing known of anybody. */
const left: OutlookFacts = {
  today: '2026-11-27',
  isOpen: true,
  lessonsLeft: 20,
  plannedLeft: tenths(300),
  requirementLeft: tenths(0),
  ownWeeks: none,
  otherWeeks: [],
  others: { flown: tenths(0), planned: tenths(0), students: 0 },
  ownFlights: [],
  otherFlights: [],
}
const others = (students: number) => Array.from({ length: students }, () => [1, 1, 1, 1, 2, 2, 2, 2])

describe('the pace of a student and the finish at it (§33.2)', () => {
  test.for<[string, Partial<OutlookFacts>, [number, number, number] | null, (string | null)[], string, number]>([
    ['nothing known', {}, null, [null, null, null], 'none', 0],
    // Sorted 1 1 1 1 2 2 2 2: quartiles 1, 1.5, 2. 20 lessons take 70, 93.3 and 140 days.
    [
      '12 own lessons',
      { ownWeeks: [2, 1, 2, 1, 2, 1, 2, 1] },
      [1, 1.5, 2],
      ['2027-02-05', '2027-03-01', '2027-04-16'],
      'own',
      12,
    ],
    // Sorted 0 0 0 0 0 1 1 3: places 1.75, 3.5 and 5.25 are 0, 0 and 1.
    [
      '5 own lessons in three weeks',
      { ownWeeks: [3, 0, 0, 1, 0, 0, 1, 0] },
      [0, 0, 1],
      ['2027-04-16', null, null],
      'own',
      5,
    ],
    ['5 own lessons on one day', { ownWeeks: [5, 0, 0, 0, 0, 0, 0, 0] }, [0, 0, 0], [null, null, null], 'own', 5],
    [
      '4 own lessons and 4 others',
      { ownWeeks: [1, 1, 1, 1, 0, 0, 0, 0], otherWeeks: others(4) },
      null,
      [null, null, null],
      'none',
      0,
    ],
    [
      '4 own lessons and 5 others',
      { ownWeeks: [1, 1, 1, 1, 0, 0, 0, 0], otherWeeks: others(5) },
      [1, 1.5, 2],
      ['2027-02-05', '2027-03-01', '2027-04-16'],
      'course',
      5,
    ],
    [
      '5 own lessons and 5 others',
      { ownWeeks: [1, 1, 1, 1, 1, 0, 0, 0], otherWeeks: others(5) },
      [0, 1, 1],
      ['2027-04-16', '2027-04-16', null],
      'own',
      5,
    ],
    [
      'no lesson left',
      { lessonsLeft: 0, ownWeeks: [2, 1, 2, 1, 2, 1, 2, 1] },
      [1, 1.5, 2],
      ['2026-11-27', '2026-11-27', '2026-11-27'],
      'own',
      12,
    ],
    [
      'a closed enrollment',
      { isOpen: false, ownWeeks: [2, 1, 2, 1, 2, 1, 2, 1] },
      [1, 1.5, 2],
      [null, null, null],
      'own',
      12,
    ],
    // 300 lessons at one a week are 2,100 days, more than five years; at two a week 1,050.
    [
      '300 lessons left',
      { lessonsLeft: 300, ownWeeks: [2, 1, 2, 1, 2, 1, 2, 1] },
      [1, 1.5, 2],
      ['2029-10-12', '2030-09-27', null],
      'own',
      12,
    ],
  ])('with %s', ([, more, pace, [earliest, likely, latest], basis, sample]) => {
    const outlook = outlookOf({ ...left, ...more })
    expect(outlook.pace).toEqual(pace && { lessonsPerWeek: pace })
    expect(outlook.finish).toEqual({ earliest, likely, latest })
    expect([outlook.basis, outlook.sample]).toEqual([basis, sample])
  })
})

describe('the hours left and their cost', () => {
  test.for<[string, Partial<OutlookFacts>, number]>([
    ['the plan', {}, 300],
    ['a requirement that leaves more', { requirementLeft: tenths(350) }, 350],
    ['a requirement that leaves less', { requirementLeft: tenths(100) }, 300],
    // 5 others flew 120.0 hours where 100.0 were planned: 30.0 × 1.2.
    ['5 others who flew a fifth more', { others: { flown: tenths(1200), planned: tenths(1000), students: 5 } }, 360],
    ['4 others who flew a fifth more', { others: { flown: tenths(1200), planned: tenths(1000), students: 4 } }, 300],
    // 30.0 × 100.1 ÷ 100.0 is 30.03, rounded up.
    ['5 others who flew a little more', { others: { flown: tenths(1001), planned: tenths(1000), students: 5 } }, 301],
  ])('are those of %s', ([, more, hours]) => {
    expect(outlookOf({ ...left, ...more }).deciHoursLeft).toBe(hours)
  })

  test.for<[string, Partial<OutlookFacts>, { likelyCents: number; highCents: number } | null]>([
    ['no flight', {}, null],
    ['4.9 own hours', { ownFlights: [flight(1, 4.9, 98_000)] }, null],
    // 5 hours at $200: 30 hours are $6,000.
    ['5.0 own hours', { ownFlights: [flight(1, 5, 100_000)] }, { likelyCents: 600_000, highCents: 600_000 }],
    // 2 h for $300 and 3 h for $750: $210 an hour. Prices 150 and 250, upper quartile 225.
    [
      'two own flights',
      { ownFlights: [flight(1, 2, 30_000), flight(1, 3, 75_000)] },
      { likelyCents: 630_000, highCents: 675_000 },
    ],
    ['4 other students', { otherFlights: [1, 2, 3, 4].map((one) => flight(one, 2, 40_000)) }, null],
    [
      '5 other students',
      { otherFlights: [1, 2, 3, 4, 5].map((one) => flight(one, 2, 40_000)) },
      { likelyCents: 600_000, highCents: 600_000 },
    ],
    ['own hours that were free', { ownFlights: [flight(1, 5, 0)] }, { likelyCents: 0, highCents: 0 }],
  ])('cost, by %s', ([, more, cost]) => {
    expect(outlookOf({ ...left, ...more }).cost).toEqual(cost)
  })
})
