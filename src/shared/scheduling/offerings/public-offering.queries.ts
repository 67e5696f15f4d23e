import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { type BookingPrincipal, publicBookingPrincipal } from '../rules/booking-principal.ts'
import { findOffering, type OfferingRow, selectOfferings } from './offering.queries.ts'

/** A school of the directory, as those without a token meet it. @throws NotFound for every other, as for none. */
export async function findPublicSchool(db: Db, organizationId: number): Promise<BookingPrincipal> {
  const row = await db
    .selectFrom('organization')
    .select(['id', 'name', 'demo', 'time_zone_name', 'settings'])
    .where('id', '=', organizationId)
    .where('show_in_directory', '=', true)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  const { id, name, demo, time_zone_name: timeZoneName } = row
  return publicBookingPrincipal({
    organizationId: id,
    organization: { name, demo, timeZoneName, settings: readSettings(row.settings) },
  })
}

/** What a school offers to the public at this time, by name. */
export async function findPublicOfferings(db: Db, { organizationId }: BookingPrincipal): Promise<OfferingRow[]> {
  return selectOfferings(db, organizationId).where('active', '=', true).execute()
}

/** An offering of a school of the directory, and the school. @throws NotFound when it is not offered, as for none. */
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
  if (!row) throw new NotFound()
  const school = await findPublicSchool(db, row.organization_id)
  return { offering: await findOffering(db, school.organizationId, id), school }
}
