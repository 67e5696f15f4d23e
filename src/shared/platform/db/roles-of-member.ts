import { type RawBuilder, sql } from 'kysely'
import { roles } from '../authz/roles.ts'

/** Selects the names of a membership's roles as a text array; `alias` is the membership in the query. */
export function rolesOfMember(alias: string): RawBuilder<string[]> {
  const names = roles.map((role) => sql`case when ${sql.ref(`${alias}.${role}`)} then ${sql.lit(role)} end`)
  return sql`array_remove(array[${sql.join(names)}], null)`
}
