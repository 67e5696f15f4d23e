import { type RawBuilder, sql } from 'kysely'
import { containing, readRows, type Source } from '../../platform/db/read-rows.ts'

/** Builds SQL conditions that a column refers to a member, or a guest, who matches a text. */
export interface Named {
  /** Returns the condition that the column refers to a matching member; null when no member matches. */
  isMember(column: string): RawBuilder<unknown> | null
  isGuest(column: string): RawBuilder<unknown> | null
}

/** Up to this many ids are passed as a list, so that the query planner can estimate the number of rows. */
const MOST_IDS = 10_000

/**
 * Finds the members (former ones included) and the guests whose name contains the text; with `byAddress`, also those
 * whose email address does. Reads the search columns of `membership`, which an index by organization covers.
 */
export async function findNamed(
  source: Source,
  organizationId: number,
  q: string,
  { byAddress }: { byAddress: boolean },
): Promise<Named> {
  const like = containing(q)
  const named = (name: string, email: string) =>
    byAddress
      ? sql`(${sql.ref(name)} ilike ${like} or ${sql.ref(email)} ilike ${like})`
      : sql`${sql.ref(name)} ilike ${like}`
  const members = sql`select m.id from membership m
    where m.organization_id = ${organizationId} and ${named('m.search_name', 'm.search_email')}`
  const guests = sql`select g.id from guest g where g.organization_id = ${organizationId} and ${named('g.name', 'g.email')}`
  const [found] = await readRows(
    source,
    sql<{ members: number[]; guests: number[] }>`
    select array(${members} limit ${MOST_IDS + 1}) as members, array(${guests} limit ${MOST_IDS + 1}) as guests`,
  )
  const among = (ids: number[] = [], all: RawBuilder<unknown>) => {
    if (ids.length === 0) return () => null
    return (column: string) =>
      ids.length > MOST_IDS ? sql`${sql.ref(column)} in (${all})` : sql`${sql.ref(column)} = any(${ids})`
  }
  return { isMember: among(found?.members, members), isGuest: among(found?.guests, guests) }
}

/** A member as part of another response. */
export interface PersonRow {
  orgUserId: number
  name: string
}

/**
 * Returns the SQL of `{ orgUserId, name }` for the member that a column refers to, former members included; null for a
 * null column.
 */
export function personJson<Person extends PersonRow | null = PersonRow>(column: string): RawBuilder<Person> {
  return sql<Person>`(select json_build_object('orgUserId', pm.id, 'name', pm.search_name)
    from membership pm where pm.id = ${sql.ref(column)})`
}
