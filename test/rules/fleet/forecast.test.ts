import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  averageUse,
  type BookingAhead,
  forecast,
  forecastAt,
  type Use,
} from '../../../src/shared/fleet/maintenance/forecast.rules.ts'
import type { Limit, MaintenanceDue } from '../../../src/shared/fleet/maintenance/maintenance-item.rules.ts'
import { hundredths } from '../../../src/shared/platform/kernel/units.ts'

const HOUR = 3_600_000
const now = new Date('2026-06-01T00:00:00Z')
const hour = (count: number) => new Date(now.getTime() + count * HOUR)
const at = { now, meters: { tach: hundredths(100_000), hobbs: hundredths(0), landings: hundredths(0) } }
const none = { intervalMonths: null, intervalDays: null, interval: null, lastDoneAt: null, lastDone: null, used: null }
/** A limit so many hours of the tach away, and one so many hours away by the calendar. */
const tach = (left: number): Limit => ({ ...none, basis: 'tach', dueAt: null, due: hundredths(100_000 + left * 100) })
const date = (hours: number): Limit => ({ ...none, basis: 'calendar', dueAt: hour(hours), due: null })
const item = (...limits: Limit[]): MaintenanceDue => ({ limits, warnDays: 30, warnHundredths: hundredths(1000) })
const use = (perBookedHour: number, perDay = 0): Use => ({
  tach: { perBookedHour, perDay },
  hobbs: { perBookedHour: 0, perDay: 0 },
  landings: { perBookedHour: 0, perDay: 0 },
})
/** Bookings that start and end so many hours from now. */
const booked = (...spans: [start: number, end: number][]): BookingAhead[] =>
  spans.map(([start, end], index) => ({ id: index + 1, start: hour(start), end: hour(end) }))

describe('the forecast of a limit by a meter (§Maintenance)', () => {
  const bookings = booked([10, 12], [30, 33], [50, 52])

  test.each<[string, number, Use, Date | null, number | null]>([
    ['crosses within a booking', 4, use(100), hour(32), 2],
    ['at half an hour flown for an hour booked', 2, use(50), hour(32), 2],
    ['reaches it as a booking ends, and the next goes beyond', 2, use(100), hour(12), 2],
    ['goes beyond no booking', 9, use(100), null, null],
    ['by the average day beyond the bookings', 9, use(100, 300), hour(72), null],
    ['by the average day before the bookings do', 4, use(100, 9_600), hour(1), 2],
    ['is due now when it is overdue', -1, use(100), now, 1],
    ['without any use', 4, use(0), null, null],
  ])('%s: %d hours left', (_how, left, ofUse, expectedAt, reservation) => {
    const expected = forecast(item(tach(left)), at, bookings, ofUse)
    expect([expected.expectedAt, expected.reservation?.id ?? null]).toEqual([expectedAt, reservation])
  })

  test('says nothing when the meter was never read', () => {
    const meters = { ...at.meters, tach: null }
    const expected = forecast(item(tach(4)), { now, meters }, bookings, use(100))
    expect(expected).toMatchObject({ expectedAt: null, reservation: null, limit: { basis: 'tach' } })
  })
})

test('the forecast of a date is the date, and the first booking that ends after it', () => {
  const bookings = booked([10, 12], [30, 33], [50, 52])
  const expected = forecast(item(date(31)), at, bookings, use(100))
  expect([expected.expectedAt, expected.reservation?.id]).toEqual([hour(31), 2])
})

test('the first limit reached is the one that a walk hour by hour meets first', () => {
  const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 5 })), { maxLength: 12 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 120 }), spans, (left, days, gaps) => {
      let start = 0
      const bookings = booked(
        ...gaps.map(([gap, length]): [number, number] => {
          const from = start + gap
          start = from + length
          return [from, start]
        }),
      )
      const expected = forecast(item(tach(left), date(days)), at, bookings, use(100))
      const flownBy = (hours: number) =>
        bookings.reduce((sum, one) => {
          const [from, to] = [one.start, one.end].map((instant) => (instant.getTime() - now.getTime()) / HOUR)
          return sum + Math.max(0, Math.min(hours, to!) - from!)
        }, 0)
      let walked = 0
      while (walked < days && flownBy(walked) < left) walked++
      expect(expected.expectedAt).toEqual(hour(walked))
      expect(expected.limit.basis).toBe(flownBy(walked) >= left ? 'tach' : 'calendar')
      const crossing = bookings.find((one) =>
        expected.limit.basis === 'tach'
          ? flownBy((one.end.getTime() - now.getTime()) / HOUR) > left
          : one.end.getTime() > hour(days).getTime(),
      )
      expect(expected.reservation).toEqual(crossing ?? null)
    }),
  )
})

describe('the average use of an aircraft (§Maintenance)', () => {
  test.each<[string, days: number, perDay: number]>([
    ['90 days', 90, 10],
    ['more than 90 days', 400, 10],
    ['30 days', 30, 30],
    ['7 days', 7, 900 / 7],
    ['less than 7 days', 6.9, 0],
    ['no reading', 0, 0],
  ])('per day, with a first reading %s ago: 9.00 hours over %d days', (_when, days, perDay) => {
    const { tach } = averageUse({ bookedHours: 10, days, tach: 900, hobbs: 0, landings: 0 })
    expect(tach).toEqual({ perBookedHour: 90, perDay })
  })

  test('per booked hour is one hour when the meter did not advance, and no landing', () => {
    const use = averageUse({ bookedHours: 10, days: 90, tach: 0, hobbs: 1100, landings: 0 })
    expect([use.tach.perBookedHour, use.hobbs.perBookedHour, use.landings.perBookedHour]).toEqual([100, 110, 0])
  })
})

describe('what is expected when work starts (§Shop slots)', () => {
  const bookings = booked([10, 12], [30, 33], [50, 52])
  const interval = (limit: Limit, hours: number): Limit => ({ ...limit, interval: hundredths(hours * 100) })
  const days = (limit: Limit, intervalDays: number): Limit => ({ ...limit, intervalDays })

  test.each<[string, Limit, Use, number, { left: number; unusedTenths: number; passes: boolean; by: number | null }]>([
    [
      'before any flight',
      interval(tach(20), 100),
      use(100),
      5,
      { left: 2000, unusedTenths: 2, passes: false, by: null },
    ],
    [
      'after one flight',
      interval(tach(20), 100),
      use(100),
      12,
      { left: 1800, unusedTenths: 1, passes: false, by: null },
    ],
    [
      'a flight that it cuts short is not flown',
      interval(tach(4), 10),
      use(100),
      31,
      { left: 200, unusedTenths: 2, passes: false, by: null },
    ],
    [
      'used up to the last tenth',
      interval(tach(5), 10),
      use(100),
      40,
      { left: 0, unusedTenths: 0, passes: false, by: null },
    ],
    [
      'passed by the second flight',
      interval(tach(4), 100),
      use(100),
      40,
      { left: -100, unusedTenths: 0, passes: true, by: 2 },
    ],
    [
      'by the average day',
      interval(tach(4), 100),
      use(100, 300),
      48,
      { left: -200, unusedTenths: 0, passes: true, by: 2 },
    ],
    ['without an interval', tach(4), use(100), 0, { left: 400, unusedTenths: 0, passes: false, by: null }],
    [
      'an interval that is not used at all',
      interval(tach(120), 100),
      use(0),
      0,
      { left: 12_000, unusedTenths: 10, passes: false, by: null },
    ],
    [
      'by the calendar',
      days(date(72), 10),
      use(100),
      24,
      { left: 48 * HOUR, unusedTenths: 2, passes: false, by: null },
    ],
    [
      'a day late by the calendar',
      days(date(32), 10),
      use(100),
      56,
      { left: -24 * HOUR, unusedTenths: 0, passes: true, by: 2 },
    ],
  ])('%s', (_when, limit, ofUse, start, { by, ...expected }) => {
    const { reservation, ...found } = forecastAt(item(limit), at, bookings, ofUse, hour(start))
    expect({ ...found, by: reservation?.id ?? null }).toEqual({ ...expected, basis: limit.basis, by })
  })

  test('any limit of an item is passed, also one that is not reached first', () => {
    const late = forecastAt(item(interval(tach(1), 100), days(date(11), 10)), at, bookings, use(100), hour(20))
    expect(late).toMatchObject({ basis: 'tach', passes: true, reservation: { id: 1 } })
  })

  test('nothing is known of a meter that was never read', () => {
    const meters = { ...at.meters, tach: null }
    const found = forecastAt(item(tach(4)), { now, meters }, bookings, use(100), hour(20))
    expect(found).toEqual({ left: null, basis: 'tach', unusedTenths: 0, passes: false, reservation: null })
  })
})
