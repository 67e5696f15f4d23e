import { type RawBuilder, sql } from 'kysely'
import { PLANNED_AT_EACH_RUN } from './auto-prepare.ts'

/** The limits that clients usually ask for. A page by cursor reads one row more, to find out whether it is the last one. */
const usual = new Set([1, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000].flatMap((limit) => [limit, limit + 1]))

/**
 * Returns the `limit` and `offset` of a list as SQL. A usual limit is part of the text: for a parameter, the plan of a
 * prepared statement expects a tenth of the rows, and then walks an organization in the order of the list although an index
 * finds the few rows of a filter. A statement with any other limit, or that skips rows, is planned at each run.
 */
export function pageLimit(limit: number, offset = 0): RawBuilder<unknown> {
  if (offset > 0) return sql`limit ${limit} offset ${offset} ${PLANNED_AT_EACH_RUN}`
  return usual.has(limit) ? sql`limit ${sql.lit(limit)}` : sql`limit ${limit} ${PLANNED_AT_EACH_RUN}`
}
