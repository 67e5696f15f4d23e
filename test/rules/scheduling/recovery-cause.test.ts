import { describe, expect, test } from 'vitest'
import { type NamedCause, wordsOfCause } from '../../../src/shared/scheduling/recoveries/recovery-cause.rules.ts'

const nothing: NamedCause = { resources: [], instructors: [], closure: null, asserted: false, zone: 'America/New_York' }
const n1 = { name: 'N1', maintenance: null, grounding: null, deferral: null }
const ana = { name: 'Ana Ruiz', away: null }
const away = { start: new Date('2026-11-24T15:00:00Z'), end: new Date('2026-11-24T17:00:00Z') }

describe('the cause of a recovery in messages (§Recovery)', () => {
  test.each<[string, Partial<NamedCause>, string | null]>([
    ['bookings alone', {}, null],
    ['a grounding', { resources: [{ ...n1, grounding: 'Flat tire' }] }, 'N1 is grounded: Flat tire.'],
    ['one whose reason is a sentence', { resources: [{ ...n1, grounding: 'Flat.' }] }, 'N1 is grounded: Flat.'],
    ['one without a reason', { resources: [{ ...n1, grounding: '' }] }, 'N1 is grounded.'],
    [
      'maintenance, whatever else holds the aircraft',
      { resources: [{ ...n1, maintenance: 'Strut', grounding: 'Flat tire' }] },
      'N1 is in maintenance: Strut.',
    ],
    [
      'a deferred squawk',
      { resources: [{ ...n1, deferral: 'Landing light dim' }] },
      'N1 has a deferred squawk: Landing light dim.',
    ],
    ['an inspection that is due', { resources: [n1] }, 'N1 cannot be used.'],
    ['time off', { instructors: [{ ...ana, away }] }, 'Ana Ruiz is away: Tue, Nov 24, 2026, 10:00–12:00 EST.'],
    [
      'what no record bears',
      { resources: [{ ...n1, deferral: 'Landing light dim' }], instructors: [ana], asserted: true },
      'The desk says: N1 cannot be used. Ana Ruiz is away.',
    ],
    ['a closure', { closure: 'Fog' }, 'Closed: Fog.'],
    ['a closure without a reason', { closure: '' }, 'The school is closed.'],
  ])('names %s', (_what, cause, words) => {
    expect(wordsOfCause({ ...nothing, ...cause })).toBe(words)
  })
})
