import { sql } from 'kysely'
import type { Actor } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import { addDays, localDate, wallToInstant } from '../platform/kernel/zones.ts'
import { type BookingAtRisk, findAtRisk } from '../scheduling/at-risk/at-risk.queries.ts'
import { findReservations, type ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { boardOf, SOON_HOURS } from './board.rules.ts'

/**
 * The flights that are out, late, due and next, the grounded resources, and the bookings at risk until the end of
 * tomorrow.
 */
export interface Board extends ReturnType<typeof boardOf<ReservationRow>> {
  atRisk: BookingAtRisk[]
  grounded: { id: number; name: string; tailNumber: string | null; groundedReason: string | null }[]
}

/**
 * Returns the departure board of an organization, or of some of its locations (null: all): the flights that are out,
 * the bookings from the start of the local day to its end or four hours from now, whichever is later, the grounded
 * resources, and the bookings at risk. Ground lessons, maintenance and bookings of rooms are left out.
 * Implements interface §Dispatch, GET /board.
 */
export async function findBoard(
  db: Db,
  actor: Actor,
  now: Date,
  locationIds: readonly number[] | null,
): Promise<Board> {
  const { organizationId, organization } = actor
  const zone = organization.timeZoneName
  const today = localDate(now, zone)
  const morning = wallToInstant(today, 0, zone)
  const soon = new Date(now.getTime() + SOON_HOURS * 3_600_000)
  const midnight = wallToInstant(addDays(today, 1), 0, zone)
  const until = soon > midnight ? soon : midnight
  const rows = await findReservations(db, organizationId, {
    where: sql`r.live and r.type not in ('ground', 'maintenance') and x.kind <> 'room' and r.ramped_in_at is null
      and (r.ramped_out_at is not null or r.starts_at >= ${morning} and r.starts_at < ${until})
      ${locationIds === null ? sql`` : sql`and r.location_id = any(${locationIds}::int[])`}`,
    orderBy: sql`r.starts_at, r.id`,
  })
  const ahead = { start: now, end: wallToInstant(addDays(today, 2), 0, zone), locationIds: locationIds ?? undefined }
  return {
    ...boardOf(rows, now),
    grounded: await findGrounded(db, organizationId, locationIds),
    atRisk: await findAtRisk(db, organizationId, now, ahead),
  }
}

async function findGrounded(db: Db, organizationId: number, locationIds: readonly number[] | null) {
  const rows = await db
    .selectFrom('resource')
    .select(['id', 'name', 'tail_number', 'grounded_by_person', 'grounded_reason', 'system_hold_reason'])
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('grounded_by_person', '=', true), eb('system_hold_reason', 'is not', null)]))
    .$if(locationIds !== null, (query) => query.where('location_id', '=', sql<number>`any(${locationIds}::int[])`))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    tailNumber: row.tail_number ?? null,
    groundedReason: (row.grounded_by_person ? row.grounded_reason : row.system_hold_reason) ?? null,
  }))
}
