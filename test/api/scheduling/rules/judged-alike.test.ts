import { describe, expect } from 'vitest'
import { apiTest } from '../../../support/fixtures.ts'
import { judgeAlike } from '../../../support/random-ratings.ts'

const test = apiTest()

/** `npm run drills` draws 10,000. */
const drawn = { rounds: 2, each: 20, seed: 23 }

describe('ratings, solo endorsements and hours in the model (interface §Booking rules)', () => {
  test('are judged alike by check, create, openings, at risk and release', async ({ api }) => {
    const refused = await judgeAlike(api, drawn)
    expect(refused).toBeGreaterThan(10)
    expect(refused).toBeLessThan(40)
  })
})
