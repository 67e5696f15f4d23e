import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { isPlain, unlikeAircraft } from './model-names.queries.ts'
import type { ResourceKind } from './resource.rules.ts'

/** The filter of a list of resources. `grounded` covers grounding by a person and by the system. */
export interface ResourceFilter {
  kind?: ResourceKind | undefined
  q?: string | undefined
  grounded?: boolean | undefined
  locationIds?: number[] | undefined
}

export function selectResources(db: Db, organizationId: number) {
  return db
    .selectFrom('resource')
    .innerJoin('location', (join) =>
      join
        .onRef('location.organization_id', '=', 'resource.organization_id')
        .onRef('location.id', '=', 'resource.location_id'),
    )
    .selectAll('resource')
    .select(['location.name as location_name', 'location.time_zone_name as location_zone'])
    .select([isPlain('resource').as('plain'), unlikeAircraft(organizationId).as('unlike')])
    .where('resource.organization_id', '=', organizationId)
}

export type ResourceRow = Awaited<ReturnType<ReturnType<typeof selectResources>['execute']>>[number]

/** Returns one resource of the organization. Implements interface §Resources. */
export async function findResource(db: Db, organizationId: number, id: number): Promise<ResourceRow> {
  const row = await selectResources(db, organizationId).where('resource.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/**
 * Returns an organization's resources, sorted by name. `q` searches name, tail number, make, model and serial number.
 * Implements interface §Resources.
 */
export function listResources(db: Db, organizationId: number, filter: ResourceFilter = {}) {
  const { kind, q, grounded, locationIds } = filter
  let query = selectResources(db, organizationId).orderBy('resource.name').orderBy('resource.id')
  if (kind) query = query.where('resource.kind', '=', kind)
  if (q) query = query.where((eb) => eb.or(searched.map((column) => eb(column, 'ilike', containing(q)))))
  if (grounded !== undefined) query = query.where(isGrounded, '=', grounded)
  if (locationIds) query = query.where('resource.location_id', '=', sql<number>`any(${locationIds}::int[])`)
  return pageable(db, query)
}

const searched = [
  'resource.name',
  'resource.tail_number',
  'resource.make',
  'resource.model',
  'resource.serial_number',
] as const

const isGrounded = sql<boolean>`(resource.grounded_by_person or resource.system_hold_reason is not null)`

/** Returns the IANA zone of a resource's location. The resource's days are local days of this zone. */
export async function zoneOfResource(
  db: Db,
  { organizationId, locationId }: { organizationId: number; locationId: number },
): Promise<string> {
  const location = await db
    .selectFrom('location')
    .select('time_zone_name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', locationId)
    .executeTakeFirstOrThrow()
  return location.time_zone_name
}

/** Returns whether any booking refers to a resource, a cancelled one included. */
export async function isBooked(db: Db, organizationId: number, resourceId: number): Promise<boolean> {
  const booking = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .limit(1)
    .executeTakeFirst()
  return booking !== undefined
}

/** Returns whether an entry of the waiting list waits for a resource. */
export async function isWaitedFor(db: Db, organizationId: number, resourceId: number): Promise<boolean> {
  const choice = await db
    .selectFrom('waitlist_choice as c')
    .innerJoin('waitlist_entry as e', (join) =>
      join.onRef('e.organization_id', '=', 'c.organization_id').onRef('e.id', '=', 'c.entry_id'),
    )
    .select('c.id')
    .where('c.organization_id', '=', organizationId)
    .where('c.resource_id', '=', resourceId)
    .where('e.status', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  return choice !== undefined
}

/** Returns the orgUserIds of the members on the live bookings of a resource that end after an instant. */
export async function findBookedMembers(
  db: Db,
  organizationId: number,
  resourceId: number,
  after: Date,
): Promise<number[]> {
  const seats = await db
    .selectFrom('reservation as r')
    .innerJoin('seat as s', (join) =>
      join.onRef('s.organization_id', '=', 'r.organization_id').onRef('s.reservation_id', '=', 'r.id'),
    )
    .select('s.membership_id')
    .distinct()
    .where('r.organization_id', '=', organizationId)
    .where('r.resource_id', '=', resourceId)
    .where('r.live', '=', true)
    .where('r.ends_at', '>', after)
    .execute()
  return seats.flatMap((seat) => seat.membership_id ?? [])
}
