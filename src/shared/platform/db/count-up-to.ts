import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from './read-rows.ts'

/**
 * Returns the number of rows, counted up to `most` + 1 to bound the cost. `rows` is the SQL after `from`: tables, joins
 * and condition.
 */
export async function countUpTo(source: Source, rows: RawBuilder<unknown>, most: number): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count from (select from ${rows} limit ${most + 1}) counted`
  return (await readRows(source, query))[0]?.count ?? 0
}
