import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { recoverSchool } from '../../../support/still-world.ts'

const test = schoolTest()

describe('a plan in a still world (§Recovery)', () => {
  test.for([[0], [1]] as const)(
    'no row of it is refused when it is applied: several aircraft are down, seed %i',
    async ([seed], { api, school }) => {
      const { displaced, moved, refused, took } = await recoverSchool(api, school, seed)
      expect(displaced).toBeGreaterThanOrEqual(30)
      expect(moved).toBeGreaterThan(0)
      expect(refused).toBe(0)
      // The machine of the tests may be busy; alone it takes a tenth of this.
      expect(took).toBeLessThan(60_000)
    },
  )
})
