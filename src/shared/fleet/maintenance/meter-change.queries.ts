import type { Db } from '../../platform/db/database.ts'
import { type Hundredths, minus, plus, ZERO } from '../../platform/kernel/units.ts'
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

/** Returns how far replacements shifted each meter of a resource since an instant: new readings minus old ones, in hundredths. */
export async function findShiftsSince(
  db: Db,
  organizationId: number,
  resourceId: number,
  since: Date,
): Promise<Partial<Record<ReplaceableMeter, Hundredths>>> {
  const shifts: Partial<Record<ReplaceableMeter, Hundredths>> = {}
  for (const { meter, old, new: reading, changedAt } of await listMeterChanges(db, organizationId, resourceId)) {
    if (changedAt >= since) shifts[meter] = plus(shifts[meter] ?? ZERO, minus(reading, old))
  }
  return shifts
}

/** Returns the bookings on which a resource left the ramp since an instant, by departure; at most 200. */
export async function findFlightsSince(db: Db, organizationId: number, resourceId: number, since: Date) {
  const rows = await db
    .selectFrom('reservation')
    .select(['id', 'starts_at'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('live', '=', true)
    .where('ramped_out_at', '>=', since)
    .orderBy('ramped_out_at')
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map((row) => ({ reservationId: row.id, start: row.starts_at.toISOString() }))
}
