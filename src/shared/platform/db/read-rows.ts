import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** Where to read: the pool, or a transaction, which sees its own changes. */
export type Source = { db: Db } | Db

/** Returns the rows of a query. */
export async function readRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute('selectFrom' in source ? source : source.db)
  return rows
}

/**
 * Returns the number of rows, counted up to `most` + 1 to bound the cost. `rows` is the SQL after `from`: tables, joins
 * and condition.
 */
export async function countUpTo(source: Source, rows: RawBuilder<unknown>, most: number): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count from (select from ${rows} limit ${most + 1}) counted`
  return (await readRows(source, query))[0]?.count ?? 0
}
