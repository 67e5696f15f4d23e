import type { Resource } from '../fleet/fleet.tables.ts'
import { metersOf } from '../fleet/maintenance/maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf } from '../fleet/maintenance/maintenance-item.queries.ts'
import { passedLimit } from '../fleet/maintenance/maintenance-item.rules.ts'
import { findMetersReplacedSince } from '../fleet/maintenance/meter-change.queries.ts'
import { holdOrRelease } from '../fleet/maintenance/recompute-hold.ts'
import { lockResource } from '../fleet/resources/resource.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { readingToNumber } from '../platform/kernel/hours.ts'
import { type Hundredths, ZERO } from '../platform/kernel/units.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import type { Figures } from './corrections.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { type AircraftMeters, followCorrection } from './meters.rules.ts'
import { findMeters } from './ramp.access.ts'

/** The aircraft's meters after a correction, in hundredths of an hour. `followed`: whether the correction changed a meter. */
export interface FollowedMeters {
  followed: boolean
  aircraftHobbs: Hundredths | null
  aircraftTach: Hundredths | null
}

/** Returns the current meters of the booking's aircraft; null for a meter that it does not have. */
export async function readMeters(tx: Tx, actor: Actor, row: ReservationRow): Promise<FollowedMeters> {
  return answer(false, row.resource ? await findMeters(tx.db, actor.organizationId, row.resource.id) : hoursOf(null))
}

/**
 * Sets the aircraft's meters to the corrected readings in, and recomputes the aircraft's system hold. A meter changes only when it still
 * equals this flight's reading in. Throws when a grounding maintenance item would be passed, unless that is `confirmed`.
 * Implements interface §Reservations rule 7.
 */
export async function followWithMeters(
  tx: Tx,
  actor: Actor,
  row: ReservationRow,
  figures: Figures,
  confirmed: boolean,
): Promise<FollowedMeters> {
  const resource = row.resource && (await lockResource(tx, actor, row.resource.id))
  const before = hoursOf(resource)
  const { followed, meters } = followCorrection(
    before,
    { hobbs: row.hobbs_in, tach: row.tach_in },
    await readingsOfPresentMeters(tx, actor, row, figures),
  )
  if (!resource || !followed) return answer(false, before)
  if (!confirmed) await assertNoInspectionPassed(tx, resource, before, meters)
  tx.em.assign(resource, { hobbsHundredths: meters.hobbs, tachHundredths: meters.tach })
  await holdOrRelease(tx, resource, actor.orgUserId)
  return answer(true, meters)
}

/**
 * Returns the corrected readings in; null for a meter that was replaced after the flight, because a correction does not change the new
 * meter.
 */
async function readingsOfPresentMeters(
  tx: Tx,
  { organizationId }: Actor,
  row: ReservationRow,
  figures: Figures,
): Promise<AircraftMeters> {
  const { hobbsTimeIn: hobbs, tachTimeIn: tach } = figures
  if (!row.resource || !row.ramped_in_at) return { hobbs, tach }
  const replaced = await findMetersReplacedSince(tx.db, organizationId, row.resource.id, row.ramped_in_at)
  return { hobbs: replaced.includes('hobbs') ? null : hobbs, tach: replaced.includes('tach') ? null : tach }
}

async function assertNoInspectionPassed(
  tx: Tx,
  resource: Resource,
  before: AircraftMeters,
  after: AircraftMeters,
): Promise<void> {
  const { landings } = metersOf(resource)
  const items = await findMaintenanceItemsOf(tx.db, resource.organizationId, resource.id)
  const passed = items.flatMap((row) => {
    const limit = row.grounding && passedLimit(dueOf(row), tx.now, { ...before, landings }, { ...after, landings })
    return limit ? [{ id: row.id, name: row.name, basis: limit.basis, due: limit.due }] : []
  })
  if (passed.length === 0) return
  const names = passed.map(({ name }) => name).join(', ')
  throw dispatchErrors.maintenanceTrigger(
    { reminders: names, resource: resource.name },
    {
      reminders: passed.map(({ id, name, basis, due }) => ({
        id,
        name,
        basis,
        dueReading: due === null ? null : readingToNumber(due),
        reading: readingToNumber((basis === 'hobbs' ? after.hobbs : after.tach) ?? ZERO),
      })),
    },
  )
}

function hoursOf(resource: Resource | null): AircraftMeters {
  return { hobbs: resource?.hobbsHundredths ?? null, tach: resource?.tachHundredths ?? null }
}

function answer(followed: boolean, { hobbs, tach }: AircraftMeters): FollowedMeters {
  return { followed, aircraftHobbs: hobbs, aircraftTach: tach }
}
