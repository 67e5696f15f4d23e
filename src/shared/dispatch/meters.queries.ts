import type { Db } from '../platform/db/database.ts'
import type { AircraftMeters } from './meters.rules.ts'

/** Returns the current meters of a resource of the organization, in hundredths of an hour. */
export async function findMeters(db: Db, organizationId: number, resourceId: number): Promise<AircraftMeters> {
  const row = await db
    .selectFrom('resource')
    .select(['hobbs_hundredths', 'tach_hundredths'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', resourceId)
    .executeTakeFirst()
  return { hobbs: row?.hobbs_hundredths ?? null, tach: row?.tach_hundredths ?? null }
}
