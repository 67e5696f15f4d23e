import { sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { type BookingPrincipal, publicBookingPrincipal } from '../rules/load-booking-facts.ts'
import type { LocationFacts, OfferedHours } from './offering.rules.ts'

/** Selects the offerings of an organization by name, each with its aircraft and instructors in their stored order. */
export function selectOfferings(db: Db, organizationId: number) {
  return db
    .selectFrom('offering')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('offering_resource as x')
        .whereRef('x.organization_id', '=', 'offering.organization_id')
        .whereRef('x.offering_id', '=', 'offering.id')
        .select(sql<number[]>`coalesce(array_agg(x.resource_id order by x.id), '{}')`.as('ids'))
        .as('resource_ids'),
      eb
        .selectFrom('offering_instructor as x')
        .whereRef('x.organization_id', '=', 'offering.organization_id')
        .whereRef('x.offering_id', '=', 'offering.id')
        .select(sql<number[]>`coalesce(array_agg(x.membership_id order by x.id), '{}')`.as('ids'))
        .as('instructor_ids'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
}

export type OfferingRow = Awaited<ReturnType<ReturnType<typeof selectOfferings>['execute']>>[number]

/** Returns the time of day at which an offering is flown. */
export function hoursOf({ earliest_minute, latest_minute, daylight }: OfferingRow): OfferedHours {
  return { earliestMinute: earliest_minute ?? null, latestMinute: latest_minute ?? null, daylight }
}

/** Returns the names and locations of aircraft, by name. */
export async function findLocationsOf(
  db: Db,
  organizationId: number,
  resourceIds: readonly number[],
): Promise<(LocationFacts & { name: string })[]> {
  const rows = await db
    .selectFrom('resource as x')
    .innerJoin('location as l', (join) =>
      join.onRef('l.organization_id', '=', 'x.organization_id').onRef('l.id', '=', 'x.location_id'),
    )
    .select(['x.name', 'l.time_zone_name', 'l.latitude', 'l.longitude'])
    .where('x.organization_id', '=', organizationId)
    .where(oneOf(sql`x.id`, resourceIds))
    .orderBy('x.name')
    .execute()
  return rows.map(({ name, time_zone_name: zone, latitude, longitude }) => ({
    name,
    zone,
    coordinates: latitude == null || longitude == null ? null : { latitude, longitude },
  }))
}

/** Returns the offerings of an organization, by name. */
export function listOfferings(db: Db, organizationId: number) {
  return pageable(db, selectOfferings(db, organizationId))
}

/** Returns one offering of the organization. */
export async function findOffering(db: Db, organizationId: number, id: number): Promise<OfferingRow> {
  const row = await selectOfferings(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns the public booking principal of a school that is in the directory. */
export async function findPublicSchool(db: Db, organizationId: number): Promise<BookingPrincipal> {
  const row = await db
    .selectFrom('organization')
    .select(['id', 'name', 'demo', 'time_zone_name', 'settings'])
    .where('id', '=', organizationId)
    .where('show_in_directory', '=', true)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  const { id, name, demo, time_zone_name: timeZoneName } = row
  const school = publicBookingPrincipal({
    organizationId: id,
    organization: { name, demo, timeZoneName, settings: readSettings(row.settings) },
  })
  return { ...school, isPublic: true }
}

/** Returns the active offerings of a school, by name. */
export function listPublicOfferings(db: Db, { organizationId }: BookingPrincipal) {
  return pageable(db, selectOfferings(db, organizationId).where('active', '=', true))
}

/** Returns an active offering and its school. */
export async function findPublicOffering(
  db: Db,
  id: number,
): Promise<{ offering: OfferingRow; school: BookingPrincipal }> {
  const row = await db
    .selectFrom('offering')
    .select('organization_id')
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  const school = await findPublicSchool(db, row.organization_id)
  return { offering: await findOffering(db, school.organizationId, id), school }
}
