import type { Db } from '../../platform/db/database.ts'
import type { ReplaceableMeter } from '../fleet.tables.ts'

/** Returns the meters of a resource that were replaced since an instant. */
export async function findMetersReplacedSince(
  db: Db,
  organizationId: number,
  resourceId: number,
  since: Date,
): Promise<ReplaceableMeter[]> {
  const rows = await db
    .selectFrom('meter_change')
    .select('meter')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('created_at', '>=', since)
    .execute()
  return rows.map(({ meter }) => meter)
}

/** Returns the replacements of a resource's meters, latest first. */
export function listMeterChanges(db: Db, organizationId: number, resourceId: number) {
  return db
    .selectFrom('meter_change')
    .select(['meter', 'old_hundredths as old', 'new_hundredths as new', 'created_at as changedAt'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the id of the booking on which a resource is ramped out; null when the resource is not out. */
export async function findBookingOut(db: Db, organizationId: number, resourceId: number): Promise<number | null> {
  const out = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('live', '=', true)
    .where('ramped_out_at', 'is not', null)
    .where('ramped_in_at', 'is', null)
    .executeTakeFirst()
  return out?.id ?? null
}
