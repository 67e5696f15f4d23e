import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { judgeAlike } from '../support/random-ratings.ts'

const BOOKINGS = Number(process.env.DRILL_BOOKINGS ?? 10_000)
const EACH = 100
/** Longer than other drills have: each booking is judged five times. */
const MOST_MS = 3_600_000

describe('the ratings of who flies', () => {
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
    `are judged alike on ${BOOKINGS} random bookings`,
    async () => {
      const refused = await judgeAlike(api, { rounds: Math.ceil(BOOKINGS / EACH), each: EACH, seed: 2_023 })
      expect(refused).toBeGreaterThan(BOOKINGS / 10)
      expect(refused).toBeLessThan(BOOKINGS)
    },
    MOST_MS,
  )
})
