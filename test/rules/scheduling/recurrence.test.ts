import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOfWeek, localDate, minuteOfDay } from '../../../src/shared/platform/kernel/zones.ts'
import { expandRecurrence, type Recurrence } from '../../../src/shared/scheduling/rules/recurrence.rules.ts'
import { at } from './booking-facts.ts'

const newYork = 'America/New_York'

function series(recurrence: Recurrence, start: string, hours = 2, zone = newYork) {
  const first = { start: at(start), end: new Date(at(start).getTime() + hours * 3_600_000) }
  return expandRecurrence(recurrence, first, zone)
}

function starts(recurrence: Recurrence, start: string, zone = newYork): string[] {
  const expanded = series(recurrence, start, 2, zone)
  if (expanded.problems) throw new Error(expanded.problems[0]?.message)
  return expanded.occurrences.map((one) => one.start.toISOString().slice(0, 16))
}

const refused = (recurrence: Recurrence, start = '2026-06-02T10:00:00-04:00', hours = 2) =>
  series(recurrence, start, hours).problems?.map(({ field }) => field)

describe('a series (§Reservations)', () => {
  test('keeps its wall time when the clocks go forward', () => {
    // 8 March 2026: 09:00 in New York is 14:00Z before, 13:00Z after.
    expect(starts({ frequency: 'daily', count: 3 }, '2026-03-07T09:00:00-05:00')).toEqual([
      '2026-03-07T14:00',
      '2026-03-08T13:00',
      '2026-03-09T13:00',
    ])
  })

  test('keeps its wall time when the clocks go back', () => {
    expect(starts({ frequency: 'weekly', count: 2 }, '2026-10-31T09:00:00-04:00')).toEqual([
      '2026-10-31T13:00',
      '2026-11-07T14:00',
    ])
  })

  test('moves a skipped wall time forward by the gap and takes the first of a doubled one', () => {
    expect(starts({ frequency: 'daily', count: 3 }, '2026-03-07T02:30:00-05:00')).toEqual([
      '2026-03-07T07:30',
      '2026-03-08T07:30',
      '2026-03-09T06:30',
    ])
    expect(starts({ frequency: 'daily', count: 2 }, '2026-10-31T01:30:00-04:00')[1]).toBe('2026-11-01T05:30')
  })

  test('has one booking for a day that the zone skipped and one for the next day', () => {
    // Samoa went from the 29th to the 31st of December 2011.
    expect(starts({ frequency: 'daily', count: 4 }, '2011-12-28T10:00:00-10:00', 'Pacific/Apia')).toEqual([
      '2011-12-28T20:00',
      '2011-12-29T20:00',
      '2011-12-30T20:00',
      '2011-12-31T20:00',
    ])
  })

  test.each([
    // Lord Howe skips 02:00 to 02:30 and doubles 01:30 to 02:00; Santiago skips midnight to one; Cairo likewise.
    ['Australia/Lord_Howe', '2026-10-03T02:15:00+10:30', ['2026-10-02T15:45', '2026-10-03T15:45', '2026-10-04T15:15']],
    ['Australia/Lord_Howe', '2026-04-04T01:45:00+11:00', ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15']],
    ['America/Santiago', '2026-09-05T00:30:00-04:00', ['2026-09-05T04:30', '2026-09-06T04:30', '2026-09-07T03:30']],
    ['Africa/Cairo', '2026-04-23T00:15:00+02:00', ['2026-04-22T22:15', '2026-04-23T22:15', '2026-04-24T21:15']],
  ])('keeps the wall time of %s from %s', (zone, start, expected) => {
    expect(starts({ frequency: 'daily', count: 3 }, start, zone)).toEqual(expected)
  })

  test('has bookings of one length, also across a clock change', () => {
    const expanded = series({ frequency: 'daily', count: 2 }, '2026-03-07T23:00:00-05:00', 6)
    expect(expanded.problems === null && expanded.occurrences).toEqual([
      { index: 1, start: at('2026-03-08T04:00:00Z'), end: at('2026-03-08T10:00:00Z') },
      { index: 2, start: at('2026-03-09T03:00:00Z'), end: at('2026-03-09T09:00:00Z') },
    ])
  })

  test('runs weekly on several days and counts weeks from Monday', () => {
    // Wednesday 3 June 2026 first; then Friday, and Monday, Wednesday, Friday two weeks on.
    expect(
      starts({ frequency: 'weekly', interval: 2, daysOfWeek: [5, 1, 3], count: 5 }, '2026-06-03T10:00:00Z', 'UTC'),
    ).toEqual(['2026-06-03T10:00', '2026-06-05T10:00', '2026-06-15T10:00', '2026-06-17T10:00', '2026-06-19T10:00'])
  })

  test('starts with the given booking even when its day is not among the days', () => {
    expect(starts({ frequency: 'weekly', daysOfWeek: [1], count: 2 }, '2026-06-03T10:00:00Z', 'UTC')).toEqual([
      '2026-06-03T10:00',
      '2026-06-08T10:00',
    ])
  })

  test('leaves out the months that do not have the day', () => {
    expect(starts({ frequency: 'monthly', count: 4 }, '2026-01-31T10:00:00Z', 'UTC')).toEqual([
      '2026-01-31T10:00',
      '2026-03-31T10:00',
      '2026-05-31T10:00',
      '2026-07-31T10:00',
    ])
    expect(starts({ frequency: 'monthly', interval: 12, count: 2 }, '2028-02-29T10:00:00Z', 'UTC')[1]).toBe(
      '2032-02-29T10:00',
    )
  })

  test('is monthly by the local day of the month', () => {
    // 31 January 20:00 in New York is 1 February in UTC.
    expect(starts({ frequency: 'monthly', count: 2 }, '2026-01-31T20:00:00-05:00')[1]).toBe('2026-04-01T00:00')
  })

  test('includes the booking that starts exactly at until', () => {
    const until = at('2026-06-04T10:00:00Z')
    expect(starts({ frequency: 'daily', until }, '2026-06-02T10:00:00Z', 'UTC')).toHaveLength(3)
    const before = new Date(until.getTime() - 1)
    expect(starts({ frequency: 'daily', until: before }, '2026-06-02T10:00:00Z', 'UTC')).toHaveLength(2)
  })

  test('keeps wall time, weekday and order in any zone', () => {
    const zone = fc.constantFrom(newYork, 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo')
    // Noon in UTC, where that is after four in the morning: no clock change skips or doubles it.
    const day = fc.integer({ min: 0, max: 364 })
    fc.assert(
      fc.property(zone, day, fc.integer({ min: 2, max: 60 }), (z, offset, count) => {
        const noon = new Date(Date.UTC(2026, 0, 1 + offset, 12, 0))
        const first = { start: noon, end: new Date(noon.getTime() + 3_600_000) }
        fc.pre(minuteOfDay(noon, z) >= 240)
        const expanded = expandRecurrence({ frequency: 'weekly', count }, first, z)
        if (expanded.problems) throw new Error(expanded.problems[0]?.message)
        const { occurrences } = expanded
        expect(occurrences.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
        for (const one of occurrences) {
          expect(minuteOfDay(one.start, z)).toBe(minuteOfDay(noon, z))
          expect(dayOfWeek(one.start, z)).toBe(dayOfWeek(noon, z))
          expect(one.end.getTime() - one.start.getTime()).toBe(3_600_000)
        }
        expect(new Set(occurrences.map(({ start }) => localDate(start, z))).size).toBe(count)
      }),
    )
  })
})

describe('the recurrence of a series', () => {
  test.each<[string, Recurrence, string]>([
    ['without an end', { frequency: 'daily' }, 'recurrence.count'],
    ['with two ends', { frequency: 'daily', count: 2, until: at('2027-01-01T00:00:00Z') }, 'recurrence.count'],
    ['of one', { frequency: 'daily', count: 1 }, 'recurrence.count'],
    ['of more than 104', { frequency: 'daily', count: 105 }, 'recurrence.count'],
    ['until before it starts', { frequency: 'daily', until: at('2026-06-01T00:00:00Z') }, 'recurrence.until'],
    ['until before the second', { frequency: 'monthly', until: at('2026-06-20T00:00:00Z') }, 'recurrence.until'],
    ['until makes more than 104', { frequency: 'daily', until: at('2026-09-14T14:00:00Z') }, 'recurrence.until'],
    ['every zeroth day', { frequency: 'daily', interval: 0, count: 2 }, 'recurrence.interval'],
    ['with days that are not weekdays', { frequency: 'weekly', daysOfWeek: [0, 8], count: 2 }, 'recurrence.daysOfWeek'],
    ['with no days', { frequency: 'weekly', daysOfWeek: [], count: 2 }, 'recurrence.daysOfWeek'],
    ['daily with days', { frequency: 'daily', daysOfWeek: [1], count: 2 }, 'recurrence.daysOfWeek'],
  ])('is refused: %s', (_name, recurrence, field) => {
    expect(refused(recurrence)).toEqual([field])
  })

  test('is refused when its bookings run into each other, not when they are back to back', () => {
    expect(refused({ frequency: 'daily', count: 3 }, '2026-06-02T10:00:00-04:00', 25)).toEqual(['recurrence.interval'])
    expect(refused({ frequency: 'daily', count: 3 }, '2026-06-02T10:00:00-04:00', 24)).toBeUndefined()
  })

  test('may make 104 bookings', () => {
    expect(starts({ frequency: 'daily', count: 104 }, '2026-06-02T10:00:00Z', 'UTC')).toHaveLength(104)
    // The 104th day from 2 June is 13 September.
    const until = at('2026-09-13T10:00:00Z')
    expect(starts({ frequency: 'daily', until }, '2026-06-02T10:00:00Z', 'UTC')).toHaveLength(104)
  })

  test('is refused when there are no more dates', () => {
    expect(refused({ frequency: 'monthly', interval: 366, count: 104 })).toEqual(['recurrence.count'])
  })
})
