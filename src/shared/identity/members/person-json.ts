import { type RawBuilder, sql } from 'kysely'

/** A member inside an answer. */
export interface PersonRow {
  orgUserId: number
  name: string
}

/** `{ orgUserId, name }` of the member whom a column names, members who left included; null where it names nobody. */
export function personJson<Person extends PersonRow | null = PersonRow>(column: string): RawBuilder<Person> {
  return sql<Person>`(select json_build_object('orgUserId', pm.id, 'name', pa.name)
    from membership pm join account pa on pa.id = pm.account_id where pm.id = ${sql.ref(column)})`
}
