import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Database } from './database.ts'

/** Runs one query of a limited read and returns its rows. */
export type ReadLimited = <Row>(query: RawBuilder<Row>) => Promise<Row[]>

/**
 * Runs reads in one read-only transaction, in which each statement may take at most `statementMs` milliseconds.
 * `settings` are parameters of PostgreSQL for these reads only. Each statement has one plan per connection for all
 * values, so its indexes must suit all values.
 * @throws DatabaseError 57014 when a statement takes longer
 */
export async function readLimited<T>(
  { pool, db }: Database,
  { statementMs, settings = {} }: { statementMs: number; settings?: Record<string, string> },
  work: (read: ReadLimited) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin read only')
    const values = Object.entries({
      statement_timeout: String(statementMs),
      plan_cache_mode: 'force_generic_plan',
      ...settings,
    })
    const calls = values.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`)
    await client.query(`select ${calls.join(', ')}`, values.flat())
    const result = await work(async <Row>(query: RawBuilder<Row>) => {
      const { sql: text, parameters } = query.compile(db)
      const name = createHash('sha1').update(text).digest('base64url')
      return (await client.query({ name, text, values: [...parameters] })).rows as Row[]
    })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
