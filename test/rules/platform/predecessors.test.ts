import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PendingJob, withPredecessors } from '../../../src/shared/platform/events/predecessors.rules.ts'

const job = (id: string, ...subjects: string[]): PendingJob => ({ id, subjects })

describe('the jobs that are told with one (decision 18)', () => {
  test('are those before it of the same subject, oldest first', () => {
    const untold = [job('a', 'squawk:1'), job('b', 'squawk:2'), job('c', 'squawk:1'), job('d', 'squawk:1')]
    expect(withPredecessors(untold, 'c')).toEqual(['a', 'c'])
  })

  test('are also those before the ones before it', () => {
    const untold = [job('a', 'resource:1'), job('b', 'resource:1', 'squawk:1'), job('c', 'squawk:1')]
    expect(withPredecessors(untold, 'c')).toEqual(['a', 'b', 'c'])
  })

  test('are none when it is done', () => {
    expect(withPredecessors([job('a', 'squawk:1')], 'b')).toEqual([])
  })

  test('leave no earlier event of a told subject untold', () => {
    const subjects = fc.array(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(subjects, { minLength: 1, maxLength: 12 }), fc.nat(), (about, pick) => {
        const untold = about.map((each, index) => job(String(index), ...each))
        const told = new Set(withPredecessors(untold, String(pick % untold.length)))
        expect(told).toContain(String(pick % untold.length))
        for (const [index, one] of untold.entries()) {
          if (!told.has(one.id)) continue
          const earlier = untold.slice(0, index).filter((other) => other.subjects.some((s) => one.subjects.includes(s)))
          expect(earlier.filter(({ id }) => !told.has(id))).toEqual([])
        }
      }),
    )
  })
})
