import { type RawBuilder, sql } from 'kysely'

/** A member as part of another response. */
export interface PersonRow {
  orgUserId: number
  name: string
}

/**
 * Returns the SQL for `{ orgUserId, name }` of the member that a column refers to, former members included; null for a
 * null column.
 */
export function personJson<Person extends PersonRow | null = PersonRow>(column: string): RawBuilder<Person> {
  return sql<Person>`(select json_build_object('orgUserId', pm.id, 'name', pa.name)
    from membership pm join account pa on pa.id = pm.account_id where pm.id = ${sql.ref(column)})`
}
