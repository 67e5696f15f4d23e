import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { formatReading, readingToNumber } from '../../platform/kernel/hours.ts'
import { type Hundredths, minus } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { ReplaceableMeter, Resource } from '../fleet.tables.ts'
import { lockResource } from '../resources/resource.access.ts'
import { metersOf } from './maintenance.access.ts'
import { findMaintenanceItemsOf } from './maintenance-item.queries.ts'
import { findBookingOut } from './meter-change.queries.ts'
import { recomputeHoldOf } from './recompute-hold.ts'

/** The replacement of a meter; readings are hundredths of an hour. */
export interface MeterReplacement {
  meter: ReplaceableMeter
  oldReading: Hundredths
  newReading: Hundredths
  reason: string
}

/**
 * Replaces a meter of an aircraft or simulator. The due readings and last readings of maintenance items are shifted by
 * the difference of the two readings, so that the hours left stay the same. Flights and completions keep their
 * readings, so that their times and invoices stay the same.
 * Implements interface §Resources (meterChange) and docs/decisions/0024.
 */
export async function replaceMeter(
  tx: Tx,
  actor: Actor,
  id: number,
  { meter, oldReading, newReading, reason }: MeterReplacement,
): Promise<{ id: number }> {
  // Ramping out takes a shared lock on this row, so that no flight begins with the old meter and ends with the new one.
  const resource = await lockResource(tx, actor, id)
  if (!hasMeter(resource, meter)) throw fleetErrors.noMeter({ resource: resource.name, meter })
  const reads = metersOf(resource)[meter]
  if (reads !== null && oldReading < reads) throw fleetErrors.oldReadingBelow({ reading: formatReading(reads) })
  const reservationId = await findBookingOut(tx.db, actor.organizationId, id)
  if (reservationId !== null) throw fleetErrors.outOnBooking({ resource: resource.name }, { reservationId })
  if (meter === 'hobbs') resource.hobbsHundredths = newReading
  else resource.tachHundredths = newReading
  await record(tx, actor, id, { meter, oldReading, newReading, reason })
  await shiftLimits(tx, resource, meter, minus(newReading, oldReading))
  emit(tx, actor, {
    kind: 'meter.changed',
    subject: { kind: 'resource', id },
    before: { meter, reading: readingToNumber(oldReading) },
    after: { meter, reading: readingToNumber(newReading) },
    reason,
  })
  await recomputeHoldOf(tx, resource, actor.orgUserId)
  return { id }
}

function hasMeter({ kind }: Resource, meter: ReplaceableMeter): boolean {
  return kind === 'plane' || (kind === 'simulator' && meter === 'hobbs')
}

async function record(tx: Tx, actor: Actor, resourceId: number, change: MeterReplacement): Promise<void> {
  await tx.db
    .insertInto('meter_change')
    .values({
      organization_id: actor.organizationId,
      resource_id: resourceId,
      meter: change.meter,
      old_hundredths: change.oldReading,
      new_hundredths: change.newReading,
      reason: change.reason,
      changed_by: actor.orgUserId,
      created_at: tx.now,
    })
    .execute()
}

async function shiftLimits(
  tx: Tx,
  { organizationId, id }: Resource,
  meter: ReplaceableMeter,
  shift: Hundredths,
): Promise<void> {
  const ids = (await findMaintenanceItemsOf(tx.db, organizationId, id)).map((item) => item.id)
  await tx.db
    .updateTable('maintenance_limit')
    .set({
      last_done_hundredths: sql<Hundredths | null>`last_done_hundredths + ${shift}`,
      due_hundredths: sql<Hundredths | null>`due_hundredths + ${shift}`,
    })
    .where('organization_id', '=', organizationId)
    .where('basis', '=', meter)
    .where('reminder_id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
}
