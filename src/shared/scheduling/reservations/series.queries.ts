import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import { findReservations, type ReservationRow } from './reservation.queries.ts'

/**
 * Returns the bookings of a booking's series in order: for a live booking the live ones, for a cancelled booking those that
 * were cancelled at the same time. A booking without a series is returned alone.
 */
export async function findSeriesWith(
  source: Source,
  organizationId: number,
  booking: ReservationRow,
): Promise<ReservationRow[]> {
  if (booking.series_id === null) return [booking]
  return findReservations(source, organizationId, {
    where: sql`r.series_id = ${booking.series_id} and r.cancelled_at is not distinct from ${booking.cancelled_at}`,
    orderBy: sql`r.series_index`,
  })
}

/**
 * Returns the number of bookings of a series that were cancelled at the same time as this one, which counts too; 1 without a
 * series.
 */
export async function countCancelledTogether(
  db: Db,
  organizationId: number,
  { series_id, cancelled_at }: Pick<ReservationRow, 'series_id' | 'cancelled_at'>,
): Promise<number> {
  if (series_id === null || cancelled_at === null) return 1
  const { count } = await db
    .selectFrom('reservation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('series_id', '=', series_id)
    .where('cancelled_at', '=', cancelled_at)
    .executeTakeFirstOrThrow()
  return count
}
