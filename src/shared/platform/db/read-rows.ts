import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Where to read: the pool, or a transaction, which sees its own changes. */
export type Source = { db: Db } | Db

/** Returns the rows of a query. */
export async function readRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute('selectFrom' in source ? source : source.db)
  return rows
}
