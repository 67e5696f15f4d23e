import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { judgeAlike } from '../support/random-ratings.ts'

const BOOKINGS = Number(process.env.DRILL_BOOKINGS ?? 10_000)
const EACH = 100

describe('the ratings of who flies', () => {
  let api: TestApp
  beforeAll(async () => {
    api = await startTestApp()
  })
  afterAll(() => api.close())

  test(`are judged alike on ${BOOKINGS} random bookings`, async () => {
    const refused = await judgeAlike(api, { rounds: Math.ceil(BOOKINGS / EACH), each: EACH, seed: 2_023 })
    expect(refused).toBeGreaterThan(BOOKINGS / 10)
    expect(refused).toBeLessThan(BOOKINGS)
  })
})
