import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { PLANNED_AT_EACH_RUN } from './auto-prepare.ts'
import type { Db } from './database.ts'

/** The connection to read from: the pool, or a transaction, which sees its own changes. */
export type Source = { db: Db } | Db

/** Returns the rows of a query. */
export async function readRows<Row>(source: Source, query: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await query.execute('selectFrom' in source ? source : source.db)
  return rows
}

/**
 * Returns the number of rows, counted up to `most` + 1 to bound the cost. `rows` is the SQL after `from`: tables,
 * joins and condition. `most` is part of the text, because a plan for any limit expects a tenth of the rows.
 */
export async function countUpTo(source: Source, rows: RawBuilder<unknown>, most: number): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*)::int as count from (select from ${rows} limit ${sql.lit(most + 1)}) counted`
  return (await readRows(source, query))[0]?.count ?? 0
}

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

/**
 * Returns the condition that an expression equals one of the values. A single value is compared with `=`, so that an
 * index in the order of the list can be used.
 */
export function oneOf(
  expression: RawBuilder<unknown>,
  values: readonly string[] | readonly number[],
): RawBuilder<SqlBool> {
  return values.length === 1 ? sql`${expression} = ${values[0]}` : sql`${expression} = any(${values})`
}

/**
 * Returns the condition that an expression equals one of these words of a closed list, such as kinds or statuses. The words are
 * part of the text, so that a prepared statement is planned for these words: few rows or most may have them.
 */
export function oneOfWords(expression: RawBuilder<unknown>, words: readonly string[]): RawBuilder<SqlBool> {
  const [only, ...others] = words.map((word) => sql.lit(word))
  if (only === undefined) return sql`false`
  return others.length === 0 ? sql`${expression} = ${only}` : sql`${expression} in (${sql.join([only, ...others])})`
}

/** Returns the SQL of an instant in the format of responses: UTC with `Z` and milliseconds. */
export function jsonInstant(column: string): RawBuilder<string | null> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Returns the LIKE pattern of texts that contain this one literally. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Returns the LIKE pattern of texts that start with this one literally. */
export function startingWith(text: string): string {
  return containing(text).slice(1)
}
