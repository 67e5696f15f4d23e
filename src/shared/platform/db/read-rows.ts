import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Where to read: the pool, or the transaction whose changes must be seen. */
export type Source = { db: Db } | Db

/** The rows of a query. */
export async function readRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute('selectFrom' in source ? source : source.db)
  return rows
}
