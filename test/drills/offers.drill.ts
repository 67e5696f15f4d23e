import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { simulateOffers } from '../support/simulated-offers.ts'

/** The days that are played: `DRILL_DAYS=20 npm run drills -- offers` tries the drill in a minute. */
const DAYS = Number(process.env.DRILL_DAYS ?? 1_000)
/** Longer than other drills have: each day asks some thirty people. */
const MOST_MS = 3_600_000

describe(`the offers of ${DAYS} days, with four cancellations each`, () => {
  let postgres: OwnPostgres
  let api: TestApp
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    api = await startTestApp({ databaseUrl: postgres.url })
  })
  afterAll(async () => {
    await api.close()
    await postgres.stop()
  })

  test(
    'are never refused or made at night, and fill nine of ten places that a matcher fills who knows all answers',
    async () => {
      const { offers, filled, possible, refused, atNight } = await simulateOffers(api, { seed: 'drill', days: DAYS })
      console.log(`${offers} offers: ${filled} of ${possible} places filled`)
      expect({ refused, atNight }).toEqual({ refused: 0, atNight: 0 })
      expect(filled / possible).toBeGreaterThanOrEqual(0.9)
    },
    MOST_MS,
  )
})
