import { sql } from 'kysely'
import { isOwnStudent } from '../../identity/profiles/profile.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff, type RoleFlags, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { findCurrencyStates, type MemberCurrency } from '../../qualification/currencies/currency-state.queries.ts'

/** The number of members per batch. */
const BATCH = 500

/** A member with their states in all currencies. */
export interface MemberStates {
  orgUserId: number
  name: string
  states: MemberCurrency[]
}

/**
 * Yields the members of the reader's organization with their currency states, in batches ordered by name. Every batch
 * takes the same number of queries. Desk staff get all members; instructors get themselves and their own students.
 */
export async function* readMemberStates(db: Db, reader: Actor, now: Date): AsyncGenerator<MemberStates[]> {
  const { organizationId, organization } = reader
  const members = await findReportedMembers(db, reader, now)
  for (let at = 0; at < members.length; at += BATCH) {
    const batch = members.slice(at, at + BATCH)
    const states = await findCurrencyStates(db, { organizationId, zone: organization.timeZoneName }, batch, now)
    const byMember = Map.groupBy(states, ({ orgUserId }) => orgUserId)
    yield batch.map(({ id, name }) => ({ orgUserId: id, name, states: byMember.get(id) ?? [] }))
  }
}

async function findReportedMembers(
  db: Db,
  reader: Actor,
  now: Date,
): Promise<({ id: number; name: string } & RoleFlags)[]> {
  const { organizationId, orgUserId } = reader
  const { rows } = await sql<{ id: number; name: string } & RoleFlags>`
    select m.id, m.search_name as name, ${sql.join(roles.map((role) => sql`m.${sql.ref(role)}`))}
    from membership m
    where m.organization_id = ${organizationId} and m.removed_at is null
      and (${is(reader, deskStaff)} or m.id = ${orgUserId} or ${isOwnStudent(reader, now)})
    order by m.search_name, m.id`.execute(db)
  return rows
}
