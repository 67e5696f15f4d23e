import { type RawBuilder, sql } from 'kysely'
import { fleetErrors } from '../fleet/fleet.errors.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { isClosedOver } from '../scheduling/closures/closure.queries.ts'
import { findUnknown } from '../scheduling/recoveries/recovery.queries.ts'
import type { BulkSelection } from './bulk.types.ts'

/**
 * Returns the ids of at most `most` selected bookings, ordered by start. A window selects only live bookings. With
 * `overlaps` it selects the bookings that a closure over it would affect, and maintenance only where `types` names it.
 */
export async function findSelected(
  tx: Tx,
  { organizationId }: Actor,
  selection: BulkSelection,
  most: number,
): Promise<number[]> {
  const chosen =
    'ids' in selection ? [sql`r.id = any(${selection.ids})`] : selectedBy(tx.now, organizationId, selection)
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r
    left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    where r.organization_id = ${organizationId} and ${sql.join(chosen, sql` and `)}
    order by r.starts_at, r.id limit ${most}`.execute(tx.db)
  return rows.map(({ id }) => id)
}

function selectedBy(
  now: Date,
  organizationId: number,
  { start, end, match, ...selection }: Exclude<BulkSelection, { ids: unknown }>,
): RawBuilder<unknown>[] {
  const { resourceIds, locationIds, orgUserIds, instructorOrgUserIds, types } = selection
  const overlaps = match === 'overlaps'
  const conditions: RawBuilder<unknown>[] = [
    overlaps ? isClosedOver(now, start, end) : sql`r.live and r.starts_at >= ${start} and r.starts_at < ${end}`,
  ]
  const seated = (ids: readonly number[], side: RawBuilder<unknown>) => sql`r.id = any(array(
    select s.reservation_id from seat s where s.organization_id = ${organizationId} and s.membership_id = any(${ids})
      and s.starts_at < ${end} and ${overlaps ? sql`s.ends_at > ${start}` : sql`s.starts_at >= ${start}`} ${side}))`
  if (resourceIds) conditions.push(sql`r.resource_id = any(${resourceIds})`)
  if (locationIds) {
    const based = overlaps ? sql`or x.location_id = any(${locationIds})` : sql``
    conditions.push(sql`(r.location_id = any(${locationIds}) ${based})`)
  }
  if (types) conditions.push(sql`r.type = any(${types})`)
  else if (overlaps) conditions.push(sql`r.type <> 'maintenance'`)
  if (orgUserIds) conditions.push(seated(orgUserIds, sql``))
  if (instructorOrgUserIds) conditions.push(seated(instructorOrgUserIds, sql`and s.side = 'instructors'`))
  return conditions
}

/** Checks that all these resources belong to the organization. `fieldOf` returns the field of one of them. */
export async function assertHasResources(
  tx: Tx,
  { organizationId }: Actor,
  ids: readonly number[],
  fieldOf: (at: number) => string,
): Promise<void> {
  const at = await findUnknown(tx.db, organizationId, 'resource', ids)
  if (at < 0) return
  throw fleetErrors.unknownResource({ field: fieldOf(at) })
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
