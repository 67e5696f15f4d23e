import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { type BookingPrincipal, publicBookingPrincipal } from '../rules/load-booking-facts.ts'
import { findOffering, type OfferingRow, selectOfferings } from './offering.queries.ts'

/**
 * Returns the public booking principal of a school that is in the directory.
 * @throws NotFound for a school that is not, as for an unknown id.
 */
export async function findPublicSchool(db: Db, organizationId: number): Promise<BookingPrincipal> {
  const row = await db
    .selectFrom('organization')
    .select(['id', 'name', 'demo', 'time_zone_name', 'settings'])
    .where('id', '=', organizationId)
    .where('show_in_directory', '=', true)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  const { id, name, demo, time_zone_name: timeZoneName } = row
  return publicBookingPrincipal({
    organizationId: id,
    organization: { name, demo, timeZoneName, settings: readSettings(row.settings) },
  })
}

/** Returns the active offerings of a school, by name. */
export async function findPublicOfferings(db: Db, { organizationId }: BookingPrincipal): Promise<OfferingRow[]> {
  return selectOfferings(db, organizationId).where('active', '=', true).execute()
}

/**
 * Returns an active offering and its school.
 * @throws NotFound when the offering is not active or the school is not in the directory, as for an unknown id.
 */
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
