import { type RawBuilder, sql } from 'kysely'
import { roles } from '../authz/roles.ts'

/** The names of the roles that a membership has, as an array of text; `alias` is what the query calls the membership. */
export function rolesOfMember(alias: string): RawBuilder<string[]> {
  const names = roles.map((role) => sql`case when ${sql.ref(`${alias}.${role}`)} then ${sql.lit(role)} end`)
  return sql`array_remove(array[${sql.join(names)}], null)`
}
