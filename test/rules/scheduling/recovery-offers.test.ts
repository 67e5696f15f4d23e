import { describe, expect, test } from 'vitest'
import { recoveryOfferTimes } from '../../../src/shared/scheduling/recoveries/recovery-offer.rules.ts'
import { at } from './booking-facts.ts'

const night = { startMinute: 21 * 60, endMinute: 7 * 60 }
const terms = { offerMinutes: 60, quietHours: night, zone: 'America/New_York', heldMinutes: 0 }
const later = '2026-06-02T12:00:00-04:00'

describe('the times of an offer of a recovery (§Recovery)', () => {
  test.each([
    { why: 'an hour', now: '2026-06-01T10:00:00-04:00', starts: [later], expires: '2026-06-01T11:00:00-04:00' },
    {
      why: 'an hour from the end of the quiet hours',
      now: '2026-06-01T22:00:00-04:00',
      starts: [later],
      expires: '2026-06-02T08:00:00-04:00',
    },
    {
      why: 'at most three hours of hold from there',
      now: '2026-06-01T22:00:00-04:00',
      offerMinutes: 240,
      starts: ['2026-06-02T15:00:00-04:00'],
      expires: '2026-06-02T11:00:00-04:00',
      holds: '2026-06-02T10:00:00-04:00',
    },
    {
      why: 'three hours of hold with those of earlier offers',
      now: '2026-06-01T10:00:00-04:00',
      heldMinutes: 150,
      starts: [later],
      expires: '2026-06-01T11:00:00-04:00',
      holds: '2026-06-01T10:30:00-04:00',
    },
    {
      why: 'no hold once they held it for three hours',
      now: '2026-06-01T10:00:00-04:00',
      heldMinutes: 200,
      starts: [later],
      expires: '2026-06-01T11:00:00-04:00',
      holds: '2026-06-01T10:00:00-04:00',
    },
    {
      why: 'past the quiet hours when it would end in them, without the hold',
      now: '2026-06-01T20:55:00-04:00',
      starts: [later],
      expires: '2026-06-02T07:30:00-04:00',
      holds: '2026-06-01T21:55:00-04:00',
    },
    {
      why: 'past them, but not later than an hour before the start',
      now: '2026-06-01T20:55:00-04:00',
      starts: ['2026-06-02T08:15:00-04:00'],
      expires: '2026-06-02T07:15:00-04:00',
      holds: '2026-06-01T21:55:00-04:00',
    },
    {
      why: 'until an hour before the earlier start',
      now: '2026-06-01T10:00:00-04:00',
      starts: [later, '2026-06-01T11:30:00-04:00'],
      expires: '2026-06-01T10:30:00-04:00',
    },
  ])('$why', ({ why: _, now, starts, expires, holds = expires, ...more }) => {
    expect(recoveryOfferTimes({ ...terms, ...more, now: at(now), starts: starts.map(at) })).toEqual({
      expiresAt: at(expires),
      holdsUntil: at(holds),
    })
  })

  test('none with less than ten minutes to live', () => {
    const now = at('2026-06-01T10:00:00-04:00')
    expect(recoveryOfferTimes({ ...terms, now, starts: [at('2026-06-01T11:09:00-04:00')] })).toBeNull()
    expect(recoveryOfferTimes({ ...terms, now, starts: [at('2026-06-01T11:10:00-04:00')] })).not.toBeNull()
  })
})
