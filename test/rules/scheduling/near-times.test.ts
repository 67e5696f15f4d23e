import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { overlaps } from '../../../src/shared/platform/kernel/instants.ts'
import { rememberTimes } from '../../../src/shared/scheduling/rules/near-times.rules.ts'

const HOUR_MS = 3_600_000

const interval = fc
  .record({ start: fc.integer({ min: 0, max: 200 }), hours: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(80)) })
  .map(({ start, hours }) => ({ start: new Date(start * HOUR_MS), end: new Date((start + hours) * HOUR_MS) }))

describe('the busy times near a booking', () => {
  test('are those that overlap it, in their order, also when a long one starts much earlier', () => {
    fc.assert(
      fc.property(fc.array(interval), fc.array(interval), (unordered, bookings) => {
        const times = unordered.sort((one, other) => one.start.getTime() - other.start.getTime())
        const nearOf = rememberTimes()
        for (const booking of bookings) {
          expect(nearOf(times, booking)).toEqual(times.filter((time) => overlaps(time, booking)))
        }
      }),
    )
  })
})
