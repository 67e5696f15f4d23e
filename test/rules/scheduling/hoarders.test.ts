import { describe, expect, test } from 'vitest'
import { simulateHoarders } from '../../support/simulated-hoarders.ts'

const DAYS = 1_000
const SEED = 88

describe('twenty people who wait for everything and never answer (§Waitlist)', () => {
  const alone = simulateHoarders(DAYS, { count: 0, haveFlown: false }, SEED)

  test.for([
    ['who have never flown', false],
    ['who have', true],
  ] as const)('%s: members fill nearly as many places, and few hours are held for nothing', ([, haveFlown]) => {
    const beside = simulateHoarders(DAYS, { count: 20, haveFlown }, SEED)
    expect(beside.places).toBe(alone.places)
    expect((alone.filled - beside.filled) / alone.places).toBeLessThanOrEqual(0.05)
    expect(beside.heldUnanswered / beside.free).toBeLessThan(0.1)
  })
})
