import { sql } from 'kysely'
import type { Actor } from '../../shared/authz/actor.ts'
import { countReservations, findReservations } from '../../shared/reservations/reservation.queries.ts'
import { type ReservationFilter, reservationCondition } from '../../shared/reservations/reservation-filter.ts'
import { type ListParameters, listPage } from '../http/lists.ts'
import type { Services } from '../http/services.ts'
import { reservationView } from './reservation.view.ts'

/** A page of bookings as the reader may see them, by start: the latest first unless `orderBy` says otherwise. */
export function listReservations(
  { database }: Services,
  reader: Actor,
  now: Date,
  filter: ReservationFilter,
  parameters: ListParameters & { orderBy?: 'asc' | 'desc' },
) {
  const { organizationId } = reader
  const where = reservationCondition({ ...filter, reader }, now)
  const orderBy = parameters.orderBy === 'asc' ? sql`r.starts_at, r.id` : sql`r.starts_at desc, r.id desc`
  const source = {
    slice: (offset: number, limit: number) =>
      findReservations(database, organizationId, { where, orderBy, limit, offset }),
    count: () => countReservations(database, organizationId, where),
  }
  return listPage(source, parameters, (row) => reservationView(row, reader))
}
