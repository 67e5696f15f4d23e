import { type RawBuilder, sql } from 'kysely'

/** Selects an instant for JSON in the format of responses: UTC with `Z` and milliseconds. */
export function jsonInstant(column: string): RawBuilder<string | null> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
