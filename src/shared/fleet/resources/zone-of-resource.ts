import type { Db } from '../../platform/db/database.ts'

/** The zone of the place where a resource stands: its days begin and end there. */
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
