import { describe, expect, test } from 'vitest'
import { isToBeDisabled, nextAttemptAt } from '../../../src/shared/communication/webhooks/retry.rules.ts'

const firstAttemptAt = new Date('2026-11-21T12:00:00Z')
const failed = (given: { attempt: number; at?: string; retryAfter?: number; random?: number }) =>
  nextAttemptAt({
    attempt: given.attempt,
    firstAttemptAt,
    now: new Date(given.at ?? '2026-11-21T12:00:00Z'),
    retryAfterSeconds: given.retryAfter ?? null,
    random: given.random ?? 0,
  })?.toISOString() ?? null

describe('a webhook that failed (decision 18)', () => {
  test.each([
    [1, '2026-11-21T12:00:05.000Z'],
    [2, '2026-11-21T12:00:10.000Z'],
    [5, '2026-11-21T12:01:20.000Z'],
    [10, '2026-11-21T12:42:40.000Z'],
    [11, '2026-11-21T13:25:20.000Z'],
    [12, '2026-11-21T14:00:00.000Z'],
    [40, '2026-11-21T14:00:00.000Z'],
  ])('waits twice as long after attempt %i, from 5 seconds to 2 hours', (attempt, expected) => {
    expect(failed({ attempt })).toBe(expected)
  })

  test('waits up to half of it less at random', () => {
    expect(failed({ attempt: 2, random: 1 })).toBe('2026-11-21T12:00:05.000Z')
    expect(failed({ attempt: 2, random: 0.5 })).toBe('2026-11-21T12:00:07.500Z')
  })

  test('waits as long as the receiver asks for, not less and not beyond the day', () => {
    expect(failed({ attempt: 1, retryAfter: 3_600, random: 1 })).toBe('2026-11-21T13:00:00.000Z')
    expect(failed({ attempt: 5, retryAfter: 1 })).toBe('2026-11-21T12:01:20.000Z')
    expect(failed({ attempt: 1, retryAfter: 1_000_000 })).toBe('2026-11-22T12:00:00.000Z')
  })

  test('is tried a last time a day after the first attempt, and given up then', () => {
    expect(failed({ attempt: 20, at: '2026-11-22T11:59:59Z' })).toBe('2026-11-22T12:00:00.000Z')
    expect(failed({ attempt: 21, at: '2026-11-22T12:00:00Z' })).toBeNull()
  })

  test('disables its endpoint when nothing got through for five days', () => {
    expect(isToBeDisabled(firstAttemptAt, new Date('2026-11-26T11:59:59Z'))).toBe(false)
    expect(isToBeDisabled(firstAttemptAt, new Date('2026-11-26T12:00:00Z'))).toBe(true)
  })
})
