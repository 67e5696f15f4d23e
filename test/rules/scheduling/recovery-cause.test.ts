import { describe, expect, test } from 'vitest'
import { type NamedCause, wordsOfCause } from '../../../src/shared/scheduling/recoveries/recovery-cause.rules.ts'

const nothing: NamedCause = { resources: [], instructors: [], closure: null, asserted: false }

describe('the cause of a recovery in messages (§Recovery)', () => {
  test.each<[string, Partial<NamedCause>, string | null]>([
    ['bookings alone', {}, null],
    ['a grounding', { resources: [{ name: 'N1', grounding: 'Flat tire' }] }, 'N1 is grounded: Flat tire.'],
    ['one whose reason is a sentence', { resources: [{ name: 'N1', grounding: 'Flat.' }] }, 'N1 is grounded: Flat.'],
    ['one without a reason', { resources: [{ name: 'N1', grounding: '' }] }, 'N1 is grounded.'],
    [
      'what no record bears',
      { resources: [{ name: 'N1', grounding: null }], instructors: ['Ana Ruiz'], asserted: true },
      'The desk says: N1 cannot be used. Ana Ruiz is away.',
    ],
    ['a closure', { closure: 'Fog' }, 'Closed: Fog.'],
    ['a closure without a reason', { closure: '' }, 'The school is closed.'],
  ])('names %s', (_what, cause, words) => {
    expect(wordsOfCause({ ...nothing, ...cause })).toBe(words)
  })
})
