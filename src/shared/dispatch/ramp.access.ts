import type { Actor } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { mayRamp } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { AircraftMeters } from './meters.rules.ts'

/**
 * Checks that the booking's aircraft or simulator is not out on another booking. A unique index refuses a concurrent ramp-out. The share
 * lock on the resource prevents a replacement of its meters before the commit. Implements interface §Dispatch.
 */
export async function assertNotOut(tx: Tx, { organizationId }: Actor, { id, resource }: ReservationRow): Promise<void> {
  await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', resource?.id ?? 0)
    .forShare()
    .execute()
  const out = await findOutOn(tx.db, organizationId, { id, resource })
  if (out === null) return
  throw dispatchErrors.rampInFirst({ resource: resource?.name ?? 'The resource' }, { reservationId: out })
}

/** Returns the id of the other booking on which the resource of this booking is out; null when it is in. */
export async function findOutOn(
  db: Db,
  organizationId: number,
  { id, resource }: Pick<ReservationRow, 'id' | 'resource'>,
): Promise<number | null> {
  const out = await db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resource?.id ?? 0)
    .where('live', '=', true)
    .where('ramped_out_at', 'is not', null)
    .where('ramped_in_at', 'is', null)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return out?.id ?? null
}

/**
 * Checks that the actor may ramp the booking: the actor is seated on it, or is desk staff and `deskRamps` is set. Implements
 * interface §Reservations, rampOut and rampIn (status 400), and §Dispatch (`deskRamps`).
 */
export function assertMayRamp(row: ReservationRow, actor: Actor): void {
  if (!mayRamp(row, actor)) throw dispatchErrors.notAboard()
}

/** The most days from now to an expected return. */
const MOST_DAYS_OUT = 60
const DAY_MS = 86_400_000

/** Checks that an expected return is in the future and within 60 days. Implements interface §Dispatch. */
export function assertIsExpectable(expectedBackAt: Date, now: Date): void {
  if (expectedBackAt <= now) throw dispatchErrors.backInPast()
  if (expectedBackAt.getTime() - now.getTime() > MOST_DAYS_OUT * DAY_MS) throw dispatchErrors.backTooLate()
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

/** Checks that the aircraft of a booking has these squawks. */
export async function assertHasSquawks(
  { db }: Tx,
  { organizationId }: Actor,
  { resource }: ReservationRow,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const known = await db
    .selectFrom('squawk')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resource?.id ?? 0)
    .where('id', 'in', [...ids])
    .execute()
  const unknown = ids.find((id) => !known.some((one) => one.id === id))
  if (unknown !== undefined) throw dispatchErrors.unknownSquawk({ id: unknown })
}
