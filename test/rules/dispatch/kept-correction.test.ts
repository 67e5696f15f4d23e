import { describe, expect, test } from 'vitest'
import { type Neighbours, whyReview } from '../../../src/shared/dispatch/kept-correction.rules.ts'
import { hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'

const none: Neighbours = { previousIn: null, nextOut: null, completedAt: null }
const at = (reading: number | null) => (reading === null ? null : hundredths(reading))
const neighbours = (previousIn: number | null, nextOut: number | null, completedAt: number | null): Neighbours => {
  return { previousIn: at(previousIn), nextOut: at(nextOut), completedAt: at(completedAt) }
}
const figures = (out: number, back: number, briefing: number | null = null) => ({
  hobbsTimeOut: hundredths(out),
  hobbsTimeIn: hundredths(back),
  tachTimeOut: null,
  tachTimeIn: null,
  briefing: briefing === null ? null : tenths(briefing),
})
const flownAt = new Date('2026-09-27T12:00:00Z')

describe('a correction while the signatures stand (§Reservations, correct)', () => {
  test.each([
    ['a shorter time', figures(100, 180), none, true],
    ['the same time, later', figures(130, 240), none, true],
    ['a longer time', figures(100, 211), none, false],
    ['a shorter briefing', figures(100, 210, 2), none, true],
    ['a longer briefing', figures(100, 210, 4), none, false],
    ['before the flight before came back', figures(90, 190), neighbours(100, null, null), false],
    ['as far before it as the flight is', figures(100, 190), neighbours(105, null, null), true],
    ['further before it than the flight is', figures(99, 190), neighbours(105, null, null), false],
    ['after the flight after left', figures(110, 216), neighbours(null, 215, null), false],
    ['up to where the flight after left', figures(110, 215), neighbours(null, 215, null), true],
    ['below a completed maintenance', figures(100, 180), neighbours(null, null, 200), false],
    ['down to a completed maintenance', figures(100, 200), neighbours(null, null, 200), true],
  ])('%s', (_name, after, hobbs, isKept) => {
    const facts = { before: figures(100, 210, 3), after, neighbours: { hobbs, tach: none }, flownAt }
    expect(whyReview(facts, new Date('2026-11-26T12:00:00Z')) === null).toBe(isKept)
  })

  test('is possible for 60 days after the return', () => {
    const facts = {
      before: figures(100, 210),
      after: figures(100, 180),
      neighbours: { hobbs: none, tach: none },
      flownAt,
    }
    expect(whyReview(facts, new Date('2026-11-26T12:00:00Z'))).toBeNull()
    expect(whyReview(facts, new Date('2026-11-26T12:00:01Z'))).toMatch('60 days')
  })
})
