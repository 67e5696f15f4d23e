import { sql } from 'kysely'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { keyset, type Placed, type Position } from '../../../shared/platform/db/keyset.ts'
import { columnsOf, orderOf, type Sort } from '../../../shared/platform/db/sort-keys.ts'
import {
  countReservations,
  findReservations,
  type ReservationRow,
} from '../../../shared/scheduling/reservations/reservation.queries.ts'
import {
  type ReservationFilter,
  reservationCondition,
} from '../../../shared/scheduling/reservations/reservation-filter.queries.ts'
import { findSearched, textSearch } from '../../../shared/scheduling/reservations/reservation-search.queries.ts'
import { reservationSortKeys, ruled } from '../../../shared/scheduling/reservations/reservation-sort-keys.queries.ts'
import { findFirstStart } from '../../../shared/scheduling/reservations/reservation-window.queries.ts'
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
  const backwards = parameters.orderBy !== 'asc'
  const own = keyset(backwards ? 'desc' : 'asc', ['r.starts_at', 'r.id'])
  const keys = () => reservationSortKeys(reader)
  let next: { offset: number; after: ReservationRow } | null = null
  const source = {
    sortsBy: (path: string) => !ruled.test(path),
    columns: () => columnsOf(keys),
    /**
     * Returns the rows from an offset on. When the offset is where the previous slice ended, it reads on after that
     * slice's last row, so that a whole list is read once.
     */
    async slice(offset: number, limit: number, sort?: Sort) {
      const by = sort && orderOf(keys, sort)
      const orderBy = by ? sql`${by}, ${own.order}` : own.order
      const last = next?.offset === offset ? next.after : null
      const past = last && own.after([last.starts_at.toISOString(), String(last.id)])
      const which = by ? all : where
      const from = past ? { where: sql`${which} and ${past}` } : { where: which, offset }
      const rows = await (text ? findSearched : findReservations)(database, organizationId, {
        ...from,
        orderBy,
        limit,
      })
      const after = rows.at(-1)
      next = after ? { offset: offset + rows.length, after } : null
      return rows
    },
    following: (after: Position | null, limit: number) => {
      const following = { where: sql`${where} and ${own.after(after)}`, orderBy: own.order, limit }
      return findReservations(database, organizationId, { ...following, position: own.position }) as Promise<
        Placed<ReservationRow>[]
      >
    },
    count: (most: number) => countReservations(database, organizationId, all, most),
  }
  return listPage(source, parameters, (row) => reservationView(row, reader))
}
