import type { Actor } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { AircraftMeters } from './meters.rules.ts'

/**
 * Checks that the booking's aircraft or simulator is not out on another booking. A unique index closes the race; a share of
 * the aircraft's lock keeps its meters from being replaced meanwhile.
 * @throws Invalid RESOURCE_OUT with the id of the other booking.
 */
export async function assertNotOut(tx: Tx, { organizationId }: Actor, { id, resource }: ReservationRow): Promise<void> {
  await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', resource?.id ?? 0)
    .forShare()
    .execute()
  const out = await tx.db
    .selectFrom('reservation')
    .select(['id', 'title'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resource?.id ?? 0)
    .where('live', '=', true)
    .where('ramped_out_at', 'is not', null)
    .where('ramped_in_at', 'is', null)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!out) return
  throw dispatchErrors.rampInFirst({ resource: resource?.name ?? 'The resource' }, { reservationId: out.id })
}

/**
 * Checks that the actor has a seat on the booking. Implements interface §Reservations, rampOut and rampIn (status 400).
 * @throws Invalid when the actor has none.
 */
export function assertSeated(row: ReservationRow, actor: Actor): void {
  if (!row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) throw dispatchErrors.notAboard()
}

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
