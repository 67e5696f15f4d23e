import type { Actor } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import { findReservation } from '../scheduling/reservations/one-reservation.queries.ts'
import { assertBookingParty, assertTransition } from '../scheduling/reservations/reservation.access.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { AircraftMeters } from './meters.rules.ts'
import { findReleaseFacts } from './release.queries.ts'
import { releaseOf } from './release.rules.ts'
import type { Release } from './release.types.ts'

/**
 * Returns whether a booking may leave now, with one check per rule and subject. Implements interface §Dispatch, GET
 * /reservations/{id}/release.
 */
export async function readRelease(
  db: Db,
  actor: Actor,
  now: Date,
  id: number,
  readings: AircraftMeters,
): Promise<Pick<Release, 'verdict' | 'checks'>> {
  const row = await findReservation(db, actor.organizationId, id)
  if (!row) throw schedulingErrors.noSuchBooking()
  assertBookingParty(row, actor)
  assertTransition('change', row)
  const isGround = row.type === 'ground' || row.type === 'maintenance' || row.resource?.kind === 'room'
  if (isGround) throw dispatchErrors.nothingToRelease()
  const { verdict, checks } = releaseOf(
    await findReleaseFacts(db, actor, now, row, { readings, acknowledged: [], given: [] }),
  )
  return { verdict, checks }
}
