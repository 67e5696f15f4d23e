import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool } from '../support/builders.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { recoverSchool } from '../support/still-world.ts'

/** The rows that are applied: `DRILL_ROWS=100 npm run drills -- recoveries` tries the drill in half a minute. */
const ROWS = Number(process.env.DRILL_ROWS ?? 1_500)
const MOST_MS = 3_600_000

describe(`the plans of made-up schools, until ${ROWS} rows are applied`, () => {
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
    'no row is refused while nothing else changes',
    async () => {
      let moved = 0
      for (let seed = 1; moved < ROWS; seed++) {
        const done = await recoverSchool(api, await buildSchool(api), seed)
        console.log(`seed ${seed}: ${done.displaced} displaced, ${done.moved} moved, ${done.refused} refused`)
        expect([seed, done.refused]).toEqual([seed, 0])
        moved += done.moved
      }
    },
    MOST_MS,
  )
})
