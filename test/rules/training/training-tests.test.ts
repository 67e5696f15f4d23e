import { describe, expect, test } from 'vitest'
import { knowledgeGoodUntil, type TestFacts } from '../../../src/shared/training/knowledge-tests/training-test.rules.ts'

const passed = (day: string, given: Partial<TestFacts> = {}): TestFacts => ({
  kind: 'knowledge',
  result: 'passed',
  takenAt: new Date(`${day}T17:00:00Z`),
  airlineTransport: false,
  ...given,
})

describe('a knowledge test (14 CFR 61.39(a)(1), (b))', () => {
  test.each([
    ['2024-05-10', '2026-05-31'],
    ['2024-05-31', '2026-05-31'],
    ['2024-02-29', '2026-02-28'],
  ])('passed on %s is good until %s', (day, last) => {
    expect(knowledgeGoodUntil(passed(day), 'America/Los_Angeles')).toBe(last)
  })

  test('for airline transport is good for 60 calendar months', () => {
    expect(knowledgeGoodUntil(passed('2022-05-10', { airlineTransport: true }), 'UTC')).toBe('2027-05-31')
  })

  test('is counted from the local day on which it was taken', () => {
    // 1 June in UTC is still 31 May in Los Angeles.
    const late = passed('2024-06-01', { takenAt: new Date('2024-06-01T03:00:00Z') })
    expect(knowledgeGoodUntil(late, 'America/Los_Angeles')).toBe('2026-05-31')
    expect(knowledgeGoodUntil(late, 'UTC')).toBe('2026-06-30')
  })

  test('is good for nothing when it was not passed, and no other test has such an end', () => {
    expect(knowledgeGoodUntil(passed('2024-05-10', { result: 'failed' }), 'UTC')).toBeNull()
    expect(knowledgeGoodUntil(passed('2024-05-10', { result: 'discontinued' }), 'UTC')).toBeNull()
    expect(knowledgeGoodUntil(passed('2024-05-10', { kind: 'practical' }), 'UTC')).toBeNull()
  })
})
