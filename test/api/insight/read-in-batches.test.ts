import { sql } from 'kysely'
import { expect } from 'vitest'
import { readInBatches, TooManyRows } from '../../../src/shared/platform/db/read-in-batches.ts'
import { apiTest } from '../../support/fixtures.ts'

const never = new AbortController().signal
const numbers = (to: number) => sql<{ n: number }>`select n from generate_series(1, ${to}::int) n`

const test = apiTest()

test('a result is read in batches, each row once and in order', async ({ api }) => {
  const batches: number[][] = []
  const onRows = (rows: { n: number }[]) => batches.push(rows.map(({ n }) => n))
  await readInBatches(api.core.database, numbers(5), { mostRows: 5, batchRows: 2, signal: never, onRows })
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('a result that is too large is refused, and none of its rows beyond the bound is read', async ({ api }) => {
  const batches: unknown[] = []
  const options = { mostRows: 4, batchRows: 2, signal: never, onRows: (rows: unknown[]) => batches.push(rows) }
  await expect(readInBatches(api.core.database, numbers(5), options)).rejects.toThrow(TooManyRows)
  expect(batches).toEqual([
    [{ n: 1 }, { n: 2 }],
    [{ n: 3 }, { n: 4 }],
  ])
})

test('aborting ends the running statement, and leaves every connection in order', async ({ api }) => {
  const { database } = api.core
  const controller = new AbortController()
  const options = { mostRows: 1, batchRows: 1, signal: controller.signal, onRows: () => {} }
  const reading = readInBatches(database, sql`select pg_sleep(14) as hours_of_sleep`, options)
  const asleep = `select pid from pg_stat_activity where query like 'fetch %' and state = 'active'
    and datname = current_database()`
  await expect.poll(async () => (await database.pool.query(asleep)).rows.length).toBe(1)
  controller.abort()
  await expect(reading).rejects.toThrow(/canceling statement due to user request/)
  expect((await database.pool.query(asleep)).rows).toEqual([])
  const { rows } = await database.pool.query(`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`)
  expect(rows).toEqual([{ open: 0 }])
})
