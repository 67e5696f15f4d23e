import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { dropLostConnections } from '../../src/shared/platform/db/lost-connections.ts'

const TIMEOUT_MS = 1_500

describe('a transaction whose server does not answer in time', () => {
  let pool: pg.Pool
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1, query_timeout: TIMEOUT_MS })
    dropLostConnections(pool, () => {})
  })
  afterAll(() => pool.end())

  test('waits once, not again for its rollback, and leaves the pool a connection that works', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await expect(client.query('select pg_sleep(5)')).rejects.toThrow('Query read timeout')
    const told = performance.now()
    await expect(client.query('rollback')).rejects.toThrow(/Connection terminated|not queryable/)
    expect(performance.now() - told).toBeLessThan(TIMEOUT_MS / 2)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})
