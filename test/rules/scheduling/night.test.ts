import { describe, expect, test } from 'vitest'
import { type Coordinates, sunOf, touchesDark, touchesNight } from '../../../src/shared/scheduling/rules/night.rules.ts'

const hayward = { latitude: 37.659, longitude: -122.122 }
const london = { latitude: 51.507, longitude: -0.128 }
const sydney = { latitude: -33.869, longitude: 151.209 }
const tromso = { latitude: 69.65, longitude: 18.96 }
const nullIsland = { latitude: 0, longitude: 0 }

const dayOf = (date: string) => (Date.parse(`${date}T12:00:00Z`) - Date.UTC(2000, 0, 1, 12)) / 86_400_000

describe('sunrise and sunset, by the almanac', () => {
  test.each<[string, string, Coordinates, string, string]>([
    ['Hayward in June', '2026-06-21', hayward, '2026-06-21T12:47Z', '2026-06-22T03:33Z'],
    ['Hayward in December', '2026-12-21', hayward, '2026-12-21T15:20Z', '2026-12-22T00:53Z'],
    ['London in June', '2026-06-21', london, '2026-06-21T03:43Z', '2026-06-21T20:21Z'],
    ['Sydney in June', '2026-06-21', sydney, '2026-06-20T21:00Z', '2026-06-21T06:54Z'],
    ['the equator at the equinox', '2026-03-20', nullIsland, '2026-03-20T06:04Z', '2026-03-20T18:11Z'],
  ])('%s', (_what, date, place, rise, set) => {
    const sun = sunOf(dayOf(date), place)
    if (typeof sun === 'string') throw new Error(sun)
    expect(Math.abs(sun.start.getTime() - Date.parse(rise))).toBeLessThan(3 * 60_000)
    expect(Math.abs(sun.end.getTime() - Date.parse(set))).toBeLessThan(3 * 60_000)
  })

  test('beyond the polar circle the sun does not set in June, nor rise in December', () => {
    expect(sunOf(dayOf('2026-06-21'), tromso)).toBe('up')
    expect(sunOf(dayOf('2026-12-21'), tromso)).toBe('down')
  })
})

describe('a flight touches the night for passengers (14 CFR 61.57(b))', () => {
  // At Hayward the sun sets at 03:33 and rises at 12:47 UTC: night is from 04:33 to 11:47.
  test.each<[string, string, string, Coordinates, boolean]>([
    ['by day', '2026-06-22T01:00Z', '2026-06-22T03:00Z', hayward, false],
    ['to half an hour after sunset', '2026-06-22T02:00Z', '2026-06-22T04:03Z', hayward, false],
    ['to an hour and a quarter after sunset', '2026-06-22T02:00Z', '2026-06-22T04:48Z', hayward, true],
    ['within the night', '2026-06-22T06:00Z', '2026-06-22T07:00Z', hayward, true],
    ['from an hour and a quarter before sunrise', '2026-06-22T11:32Z', '2026-06-22T13:00Z', hayward, true],
    ['from half an hour before sunrise', '2026-06-22T12:17Z', '2026-06-22T14:00Z', hayward, false],
    ['through the whole night', '2026-06-22T02:00Z', '2026-06-22T14:00Z', hayward, true],
    ['where the date is another', '2026-06-21T08:30Z', '2026-06-21T09:30Z', sydney, true],
    ['under the midnight sun', '2026-06-21T22:00Z', '2026-06-21T23:30Z', tromso, false],
    ['in the polar night', '2026-12-21T11:00Z', '2026-12-21T12:00Z', tromso, true],
  ])('%s', (_what, start, end, place, expected) => {
    expect(touchesDark({ start: new Date(start), end: new Date(end) }, place, 'passengers')).toBe(expected)
  })
})

describe('the night of a booking', () => {
  const zone = 'America/Los_Angeles'
  // Evening civil twilight ends at Hayward at 04:04 UTC, 31 minutes after sunset; passengers' night begins at 04:33.
  test.each([
    ['at dusk', '2026-06-22T03:00Z', '2026-06-22T04:00Z', { logged: false, passengers: false }],
    ['half an hour after sunset', '2026-06-22T03:00Z', '2026-06-22T04:20Z', { logged: true, passengers: false }],
    ['an hour after sunset', '2026-06-22T03:00Z', '2026-06-22T04:40Z', { logged: true, passengers: true }],
  ])('is told by the sun where the place is known: to %s', (_what, start, end, expected) => {
    const flight = { start: new Date(start), end: new Date(end) }
    const night = (of: 'logged' | 'passengers') => touchesNight(flight, { zone, coordinates: hayward }, of)
    expect({ logged: night('logged'), passengers: night('passengers') }).toEqual(expected)
  })

  // 21:00 in Los Angeles is 04:00 UTC in June.
  test.each([
    ['to 21:00', '2026-06-22T03:00Z', '2026-06-22T04:00Z', false],
    ['past 21:00', '2026-06-22T03:00Z', '2026-06-22T04:01Z', true],
    ['from 04:59', '2026-06-22T11:59Z', '2026-06-22T13:00Z', true],
    ['from 05:00', '2026-06-22T12:00Z', '2026-06-22T13:00Z', false],
  ])('is from 21:00 to 05:00 elsewhere: %s', (_what, start, end, expected) => {
    const flight = { start: new Date(start), end: new Date(end) }
    expect(touchesNight(flight, { zone, coordinates: null }, 'passengers')).toBe(expected)
    expect(touchesNight(flight, { zone, coordinates: null }, 'logged')).toBe(expected)
  })
})
