import type { Db } from '../../platform/db/database.ts'
import type { Offer } from '../waitlist.tables.ts'
import { isOther, type OfferedResource } from './offered-resource.rules.ts'

/** Returns a resource as offers of it keep it; null without one. */
export async function findOfferedResource(
  db: Db,
  organizationId: number,
  id: number | null,
): Promise<OfferedResource | null> {
  if (id === null) return null
  const row = await db
    .selectFrom('resource')
    .select(['location_id as locationId', 'make', 'model', 'pool'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row
    ? { locationId: row.locationId, make: row.make ?? null, model: row.model ?? null, pool: row.pool ?? null }
    : null
}

/** Returns whether the resource of an offer is no longer what was offered. */
export async function isOtherNow(db: Db, { organizationId, resourceId, offered }: Offer): Promise<boolean> {
  if (!offered) return false
  const now = await findOfferedResource(db, organizationId, resourceId ?? null)
  return now === null || isOther(offered, now)
}
