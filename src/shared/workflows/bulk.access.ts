import { sql } from 'kysely'
import { fleetErrors } from '../fleet/fleet.errors.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { BulkSelection } from './bulk.types.ts'

/** Returns the ids of at most `most` selected bookings, ordered by start. A window selects only live bookings. */
export async function findSelected(
  tx: Tx,
  { organizationId }: Actor,
  selection: BulkSelection,
  most: number,
): Promise<number[]> {
  const conditions = [sql`r.organization_id = ${organizationId}`]
  if ('ids' in selection) conditions.push(sql`r.id = any(${selection.ids})`)
  else {
    const { start, end, resourceIds, locationIds, orgUserIds, types } = selection
    conditions.push(sql`r.live and r.starts_at >= ${start} and r.starts_at < ${end}`)
    if (resourceIds) conditions.push(sql`r.resource_id = any(${resourceIds})`)
    if (locationIds) conditions.push(sql`r.location_id = any(${locationIds})`)
    if (types) conditions.push(sql`r.type = any(${types})`)
    if (orgUserIds) {
      conditions.push(sql`r.id = any(array(select s.reservation_id from seat s
        where s.organization_id = ${organizationId} and s.membership_id = any(${orgUserIds})
          and s.starts_at >= ${start} and s.starts_at < ${end}))`)
    }
  }
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r where ${sql.join(conditions, sql` and `)}
    order by r.starts_at, r.id limit ${most}`.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** Checks that all these resources belong to the organization. */
export async function assertHasResources(
  tx: Tx,
  { organizationId }: Actor,
  ids: readonly number[],
  field: string,
): Promise<void> {
  if (ids.length === 0) return
  const known = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  const ours = new Set(known.map(({ id }) => id))
  const at = ids.findIndex((id) => !ours.has(id))
  if (at < 0) return
  throw fleetErrors.unknownResource({ field: `${field}.${ids.length === 1 ? 'resource.id' : `resources.${at}.id`}` })
}

/** A person whom a bulk concerns: a member or a guest. */
export interface ConcernedPerson {
  orgUserId: number | null
  guestId: number | null
}

/** Returns the people on the bookings that an operation changed, members and guests, each once. */
export async function findConcerned(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<ConcernedPerson[]> {
  const { rows } = await sql<ConcernedPerson>`
    select distinct p.person::int as "orgUserId", null::int as "guestId"
    from operation_row r cross join jsonb_array_elements_text(r.detail -> 'orgUserIds') as p (person)
    where r.organization_id = ${organizationId} and r.operation_id = ${id} and r.outcome = 'done'
    union all
    select distinct null::int, g.guest::int
    from operation_row r cross join jsonb_array_elements_text(r.detail -> 'guestIds') as g (guest)
    where r.organization_id = ${organizationId} and r.operation_id = ${id} and r.outcome = 'done'
    order by 1, 2`.execute(tx.db)
  return rows
}
