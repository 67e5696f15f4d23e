import { sql } from 'kysely'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { keyset, type Placed, type Position } from '../../../shared/platform/db/keyset.ts'
import { columnsOf, orderOf, type Sort } from '../../../shared/platform/db/sort-keys.ts'
import { findReservations, type ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import {
  type ReservationFilter,
  reservationCondition,
} from '../../../shared/scheduling/reservations/reservation-filter.queries.ts'
import { findSearched, textSearch } from '../../../shared/scheduling/reservations/reservation-search.queries.ts'
import { reservationSortKeys, ruled } from '../../../shared/scheduling/reservations/reservation-sort-keys.queries.ts'
import {
  byStart,
  countReservations,
  findFirstStart,
} from '../../../shared/scheduling/reservations/reservation-window.queries.ts'
import { type ListParameters, listPage } from '../../http/lists.ts'
import type { Services } from '../../http/services.ts'
import { reservationView } from './reservation.view.ts'

/**
 * Returns a page of bookings as the reader may see them, by start: the latest first unless `orderBy` says otherwise.
 * Implements interface §Reservations.
 */
export async function listReservations(
  { database }: Services,
  reader: Actor,
  now: Date,
  { q, ...filter }: ReservationFilter & { q?: string | undefined },
  parameters: ListParameters & { orderBy?: 'asc' | 'desc' },
) {
  const { organizationId } = reader
  const { start, end } = filter
  const firstStart = start && end && (await findFirstStart(database, organizationId, { start, end }))
  const listed = reservationCondition({ ...filter, firstStart }, now)
  const narrow = filter.resourceIds !== undefined || (filter.seated ?? []).length > 0
  const text = q ? await textSearch(database, { reader, q, where: listed, start, end, firstStart, narrow }) : undefined
  const { first: where, all } = text ?? { first: listed, all: listed }
  const direction = parameters.orderBy === 'asc' ? 'asc' : 'desc'
  const own = keyset(direction, ['r.starts_at', 'r.id'])
  const order = byStart(filter, direction)
  const keys = () => reservationSortKeys(reader)
  const source = {
    sortsBy: (path: string) => !ruled.test(path),
    columns: () => columnsOf(keys),
    slice(offset: number, limit: number, sort?: Sort) {
      const by = sort && orderOf(keys, sort)
      const orderBy = by ? sql`${by}, ${order}` : order
      const page = { where: by ? all : where, orderBy, limit, offset }
      return (text ? findSearched : findReservations)(database, organizationId, page)
    },
    following: (after: Position | null, limit: number) => {
      const following = { where: sql`${where} and ${own.after(after)}`, orderBy: order, limit }
      return findReservations(database, organizationId, { ...following, position: own.position }) as Promise<
        Placed<ReservationRow>[]
      >
    },
    count: (most: number) => countReservations(database, organizationId, { where: all, window: filter }, most),
  }
  return listPage(source, parameters, (row) => reservationView(row, reader, now))
}
