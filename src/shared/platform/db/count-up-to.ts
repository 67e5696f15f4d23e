import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from './read-rows.ts'

/**
 * How many rows there are, counted no further than one beyond `most`: what is more than that costs nothing to leave
 * uncounted. `rows` is what stands after `from`: a table, its joins and its condition.
 */
export async function countUpTo(source: Source, rows: RawBuilder<unknown>, most: number): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count from (select from ${rows} limit ${most + 1}) counted`
  return (await readRows(source, query))[0]?.count ?? 0
}
