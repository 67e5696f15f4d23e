import { describe, expect, test } from 'vitest'
import {
  isQuiet,
  type OfferTerms,
  offerTimes,
  quietEnd,
} from '../../../src/shared/scheduling/waitlist/offer-times.rules.ts'

const at = (text: string) => new Date(text)
const zone = 'America/New_York'
const night = { startMinute: 1_260, endMinute: 420 }

/** Made at noon of 1 June in New York, for ten in the morning of the next day. */
function times(over: Partial<OfferTerms> = {}) {
  const found = offerTimes({
    now: at('2026-06-01T12:00:00-04:00'),
    start: at('2026-06-02T10:00:00-04:00'),
    noticeMinutes: 180,
    offerMinutes: 60,
    quietHours: night,
    zone,
    heldMinutes: 0,
    mayHold: true,
    ...over,
  })
  return found && [found.expiresAt.toISOString(), found.holdsUntil.toISOString()]
}

/** The same instants in UTC. */
const both = (expires: string, holds = expires) => [at(expires).toISOString(), at(holds).toISOString()]

describe('an offer', () => {
  const cases: [string, Partial<OfferTerms>, string[] | null][] = [
    ['lasts as long as the setting says', {}, both('2026-06-01T13:00:00-04:00')],
    ['ends the notice before the start', { start: at('2026-06-01T15:30:00-04:00') }, both('2026-06-01T12:30:00-04:00')],
    ['is made with ten minutes to live', { start: at('2026-06-01T15:10:00-04:00') }, both('2026-06-01T12:10:00-04:00')],
    ['is not made with less', { start: at('2026-06-01T15:09:00-04:00') }, null],
    ['is not made in quiet hours', { now: at('2026-06-01T21:00:00-04:00') }, null],
    ['is not made in the last minute of quiet hours', { now: at('2026-06-02T06:59:59-04:00'), noticeMinutes: 0 }, null],
    [
      'is made when quiet hours end',
      { now: at('2026-06-02T07:00:00-04:00'), noticeMinutes: 60 },
      both('2026-06-02T08:00:00-04:00'),
    ],
    [
      'that would end at night ends half an hour after the night, and does not hold its place through it',
      { now: at('2026-06-01T20:30:00-04:00'), noticeMinutes: 60 },
      both('2026-06-02T07:30:00-04:00', '2026-06-01T21:00:00-04:00'),
    ],
    [
      'ends the notice before the start after the night too',
      { now: at('2026-06-01T20:30:00-04:00'), start: at('2026-06-02T09:00:00-04:00'), noticeMinutes: 110 },
      both('2026-06-02T07:10:00-04:00', '2026-06-01T21:00:00-04:00'),
    ],
    [
      'knows no night without quiet hours',
      { now: at('2026-06-01T23:00:00-04:00'), quietHours: null },
      both('2026-06-02T00:00:00-04:00'),
    ],
    [
      'holds its place for what is left of three hours',
      { heldMinutes: 150 },
      both('2026-06-01T13:00:00-04:00', '2026-06-01T12:30:00-04:00'),
    ],
    [
      'holds nothing after three hours',
      { heldMinutes: 200 },
      both('2026-06-01T13:00:00-04:00', '2026-06-01T12:00:00-04:00'),
    ],
    [
      'holds nothing for who may not',
      { mayHold: false },
      both('2026-06-01T13:00:00-04:00', '2026-06-01T12:00:00-04:00'),
    ],
  ]
  test.each(cases)('%s', (_name, terms, expected) => {
    expect(times(terms)).toEqual(expected)
  })

  test('outlives ten minutes, three hours of notice and every night, whenever it is made', () => {
    for (let minute = 0; minute < 2 * 1_440; minute += 7) {
      const now = new Date(at('2027-03-13T00:00:00-05:00').getTime() + minute * 60_000)
      const start = at('2027-03-16T10:00:00-04:00')
      const made = offerTimes({
        now,
        start,
        noticeMinutes: 180,
        offerMinutes: 240,
        quietHours: night,
        zone,
        heldMinutes: 0,
        mayHold: true,
      })
      expect(made === null).toBe(isQuiet(now, night, zone))
      if (!made) continue
      expect(made.expiresAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(600_000)
      expect(isQuiet(made.expiresAt, night, zone)).toBe(false)
      expect(made.holdsUntil.getTime() - now.getTime()).toBeLessThanOrEqual(180 * 60_000)
    }
  })
})

describe('the end of quiet hours', () => {
  const early = { startMinute: 60, endMinute: 150 }
  const cases: [string, string, { startMinute: number; endMinute: number }, string][] = [
    ['is in the morning', '2026-06-01T22:15:30-04:00', night, '2026-06-02T07:00:00-04:00'],
    ['is the instant itself by day', '2026-06-01T12:15:30-04:00', night, '2026-06-01T12:15:30-04:00'],
    ['is an hour sooner in the night of spring', '2027-03-13T22:00:00-05:00', night, '2027-03-14T07:00:00-04:00'],
    ['is an hour later in the night of autumn', '2027-11-06T22:00:00-04:00', night, '2027-11-07T07:00:00-05:00'],
    ['is the clock change when it skips the end', '2027-03-14T01:30:00-05:00', early, '2027-03-14T03:00:00-04:00'],
    [
      'is the second one when the clock shows the hour again',
      '2027-11-07T01:10:00-05:00',
      early,
      '2027-11-07T02:30:00-05:00',
    ],
  ]
  test.each(cases)('%s', (_name, now, hours, expected) => {
    expect(quietEnd(at(now), hours, zone).toISOString()).toBe(at(expected).toISOString())
  })
})

test('hours that begin when they end are none', () => {
  expect(isQuiet(at('2026-06-01T12:00:00Z'), { startMinute: 480, endMinute: 480 }, 'UTC')).toBe(false)
})
