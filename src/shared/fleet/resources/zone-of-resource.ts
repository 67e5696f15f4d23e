import type { Db } from '../../platform/db/database.ts'

/** Returns the IANA zone of a resource's location, in which its days begin and end. */
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
