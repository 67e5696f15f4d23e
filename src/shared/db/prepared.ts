import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Database, Db } from './database.ts'

const names = new Map<string, string>()
const REMEMBERED = 500

/** Where to read: the pool, or the transaction whose changes must be seen. */
export type Source = Pick<Database, 'pool' | 'db'> | Db

/**
 * Runs a query. On the pool it is a named prepared statement, which PostgreSQL plans once per connection: for hot
 * reads, whose planning costs more than their execution.
 */
export async function readRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  if (!('pool' in source)) return (await query.execute(source)).rows
  const { sql, parameters } = query.compile(source.db)
  let name = names.get(sql)
  if (!name && names.size < REMEMBERED) {
    name = createHash('sha1').update(sql).digest('base64url')
    names.set(sql, name)
  }
  const { rows } = await source.pool.query({ ...(name && { name }), text: sql, values: [...parameters] })
  return rows as Row[]
}
