import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { monthOf } from '../../../src/shared/platform/kernel/windows.ts'
import {
  addDays,
  dayOfWeek,
  endOfMonthAfter,
  isZone,
  localDate,
  localDates,
  midnightsBetween,
  minuteOfDay,
  wallToInstant,
} from '../../../src/shared/platform/kernel/zones.ts'

const wall = (date: string, minute: number, zone: string) => wallToInstant(date, minute, zone).toISOString()
const at = (text: string) => new Date(text)

describe('a wall time as an instant (§Time zones)', () => {
  test.each([
    // New York springs forward at 02:00 on 8 March 2026 and falls back at 02:00 on 1 November 2026.
    ['America/New_York', '2026-03-08', 119, '2026-03-08T06:59:00.000Z'],
    ['America/New_York', '2026-03-08', 150, '2026-03-08T07:30:00.000Z'],
    ['America/New_York', '2026-11-01', 90, '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '2026-11-01', 120, '2026-11-01T07:00:00.000Z'],
    // Berlin changes at 01:00 UTC on 29 March and 25 October 2026.
    ['Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25', 150, '2026-10-25T00:30:00.000Z'],
    // Lord Howe moves by half an hour: 02:00 to 02:30 on 4 October, 02:00 back to 01:30 on 5 April 2026.
    ['Australia/Lord_Howe', '2026-10-04', 135, '2026-10-03T15:45:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', 105, '2026-04-04T14:45:00.000Z'],
    ['UTC', '2026-02-28', 1440, '2026-03-01T00:00:00.000Z'],
  ])('is read as %s %s minute %i', (zone, date, minute, expected) => {
    expect(wall(date, minute, zone)).toBe(expected)
  })

  test('moves forward by the gap when it is skipped, in Lord Howe by half an hour', () => {
    const moved = wallToInstant('2026-10-04', 135, 'Australia/Lord_Howe')
    expect(minuteOfDay(moved, 'Australia/Lord_Howe')).toBe(165)
  })

  test('is refused for a date that does not exist', () => {
    expect(() => wallToInstant('2026-02-30', 0, 'UTC')).toThrow(RangeError)
  })

  test('is read back as it was written wherever the wall time exists once', () => {
    const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC')
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 240, max: 1439 }), (z, day, minute) => {
        const date = addDays('1990-01-01', day)
        const instant = wallToInstant(date, minute, z)
        expect([localDate(instant, z), minuteOfDay(instant, z)]).toEqual([date, minute])
      }),
    )
  })
})

describe('a local date (§Time zones)', () => {
  test('has the day of the week numbered from Monday 1 to Sunday 7', () => {
    expect(dayOfWeek(at('2026-03-09T12:00:00Z'), 'UTC')).toBe(1)
    expect(dayOfWeek(at('2026-03-09T03:00:00Z'), 'America/New_York')).toBe(7)
  })

  test('does not include the day whose midnight ends an interval', () => {
    expect(localDates(at('2026-01-30T20:00:00Z'), at('2026-02-01T00:00:00Z'), 'UTC')).toEqual([
      '2026-01-30',
      '2026-01-31',
    ])
  })

  test.each([
    ['2026-01-10T14:00:00Z', '2026-01-10T18:00:00Z', 0],
    ['2026-01-10T14:00:00Z', '2026-01-11T05:00:00Z', 0],
    ['2026-01-10T14:00:00Z', '2026-01-11T05:00:01Z', 1],
    ['2026-01-10T05:00:00Z', '2026-01-12T14:00:00Z', 2],
  ])('counts the New York midnights crossed between %s and %s as %i', (start, end, nights) => {
    expect(midnightsBetween(at(start), at(end), 'America/New_York')).toBe(nights)
  })

  test('can be moved by calendar months, to the last millisecond of the month', () => {
    expect(endOfMonthAfter(at('2024-01-31T20:00:00Z'), 1, 'UTC').toISOString()).toBe('2024-02-29T23:59:59.999Z')
    expect(endOfMonthAfter(at('2026-06-01T02:00:00Z'), 24, 'America/New_York').toISOString()).toBe(
      '2028-06-01T03:59:59.999Z',
    )
  })
})

describe('the local month of an instant (§Time zones)', () => {
  test.each([
    ['2026-11-01T04:59:59Z', 'America/Chicago', '2026-10-01T05:00:00.000Z', '2026-11-01T05:00:00.000Z'],
    ['2026-11-01T05:00:00Z', 'America/Chicago', '2026-11-01T05:00:00.000Z', '2026-12-01T06:00:00.000Z'],
    ['2026-12-31T23:30:00Z', 'Europe/Berlin', '2026-12-31T23:00:00.000Z', '2027-01-31T23:00:00.000Z'],
    ['2026-02-28T12:00:00Z', 'UTC', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ])('at %s in %s is from %s to %s', (instant, zone, start, end) => {
    expect(monthOf(at(instant), zone)).toEqual({ start: at(start), end: at(end) })
  })
})

describe('a zone name (§Time zones)', () => {
  test.each([
    ['America/New_York', true],
    ['UTC', true],
    ['US/Eastern', true],
    ['Asia/Calcutta', true],
    ['Europe/Kyiv', true],
    ['america/new_york', false],
    ['Mars/Olympus', false],
    ['+02:00', false],
    ['', false],
    ['2026-01-01T00:00[Europe/Berlin]', false],
  ])('is an IANA name: %s: %s', (name, known) => {
    expect(isZone(name)).toBe(known)
  })
})
