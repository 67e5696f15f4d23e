import { type RawBuilder, sql } from 'kysely'
import { findNamed, type Named } from '../../identity/members/named.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import { containing, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { type TextConditions, textConditions } from '../../platform/db/text-condition.ts'
import { findReservations, places, type ReservationRow, type ReservationSelection } from './reservation.queries.ts'
import { type ReservationWindow, seatsWithin, startsWithin } from './reservation-window.queries.ts'

/** A search text with its reader, the other SQL conditions of the list on bookings `r`, and the window of the list. */
export interface BookingText extends ReservationWindow {
  reader: Actor
  q: string
  where: RawBuilder<unknown>
  /** Whether the list is limited to some aircraft or people. */
  narrow: boolean
}

/**
 * Returns the SQL conditions of a list for a text in title, people or aircraft, or in notes that the reader may read. The
 * matching people and resources are read first.
 */
export async function textSearch(source: Source, text: BookingText): Promise<TextConditions> {
  const { reader, where, narrow } = text
  const { organizationId } = reader
  const found = await findMeant(source, text)
  return textConditions(source, {
    organizationId,
    rows: sql`select r.* from reservation r where r.organization_id = ${organizationId} and ${where}
      order by r.starts_at desc, r.id desc`,
    alias: 'r',
    listed: where,
    each: eachBooking(text, found),
    readsOthers: seatedIn(found).length > 0 || !is(reader, staff),
    indexed: byIndexes(text, found),
    narrow,
  })
}

/** The members, guests and resources whose name contains the text. */
interface Meant extends Named {
  resources: number[]
}

async function findMeant(source: Source, { reader: { organizationId }, q }: BookingText): Promise<Meant> {
  const like = containing(q)
  const [named, resources] = await Promise.all([
    findNamed(source, organizationId, q, { byAddress: false }),
    readRows(
      source,
      sql<{ id: number }>`select w.id from resource w
        where w.organization_id = ${organizationId} and (w.name ilike ${like} or w.tail_number ilike ${like})`,
    ),
  ])
  return { ...named, resources: resources.map(({ id }) => id) }
}

/** Returns SQL conditions that a seat `s` has a person whose name contains the text; none when no name does. */
function seatedIn({ isMember, isGuest }: Meant): RawBuilder<unknown>[] {
  return [isMember('s.membership_id'), isGuest('s.guest_id')].filter((one) => one !== null)
}

/**
 * Returns the SQL condition that tests one booking at a time. A scalar subquery reads its seats, because PostgreSQL cannot
 * turn it into a join with all seats.
 */
function eachBooking({ reader, q }: BookingText, found: Meant): RawBuilder<unknown> {
  const { organizationId, orgUserId } = reader
  const like = containing(q)
  const seats = (condition: RawBuilder<unknown>) => sql`coalesce((select bool_or(${condition}) from seat s
    where s.organization_id = ${organizationId} and s.reservation_id = r.id), false)`
  const ofBooking = is(reader, staff) ? sql`true` : seats(sql`s.membership_id = ${orgUserId}`)
  const notes = sql`(r.notes ilike ${like} and (r.created_by = ${orgUserId} or ${ofBooking}))`
  const any = [sql`r.title ilike ${like}`, notes]
  if (found.resources.length > 0) any.push(sql`r.resource_id = any(${found.resources})`)
  const seated = seatedIn(found)
  if (seated.length > 0) any.push(seats(sql`(${sql.join(seated, sql` or `)})`))
  return sql`(${sql.join(any, sql` or `)})`
}

/** Returns the SQL condition that collects the matching bookings by several indexes, one after the other. */
function byIndexes(text: BookingText, found: Meant): RawBuilder<unknown> {
  const { reader, q } = text
  const { organizationId } = reader
  const like = containing(q)
  const within = startsWithin('b', text)
  const bookings = (condition: RawBuilder<unknown>) =>
    sql`select b.id from reservation b where b.organization_id = ${organizationId} and ${condition} and ${within}`
  const seats = (condition: RawBuilder<unknown>) => sql`select s.reservation_id from seat s
    where s.organization_id = ${organizationId} and ${condition} and ${seatsWithin(text)}`
  const all = [bookings(sql`b.title ilike ${like}`), ...readableNotes(text, bookings)]
  if (found.resources.length > 0) all.push(bookings(sql`b.resource_id = any(${found.resources})`))
  for (const seated of seatedIn(found)) all.push(seats(seated))
  return sql`r.id = any(array(${sql.join(all, sql` union all `)}))`
}

/**
 * Selects the bookings whose notes match: for staff among all bookings, for others among those that they made or are seated
 * on.
 */
function readableNotes(
  { reader, q, ...window }: BookingText,
  bookings: (condition: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const { organizationId, orgUserId } = reader
  const like = containing(q)
  if (is(reader, staff)) return [bookings(sql`b.notes ilike ${like}`)]
  return [
    bookings(sql`b.created_by = ${orgUserId} and b.notes ilike ${like}`),
    sql`select b.id from seat s join reservation b on b.organization_id = s.organization_id and b.id = s.reservation_id
      where s.organization_id = ${organizationId} and s.membership_id = ${orgUserId} and ${seatsWithin(window)}
        and b.notes ilike ${like}`,
  ]
}

/**
 * Returns the bookings of a search, in two statements. The first finds the ids; it is planned at each run. The second reads
 * the bookings and their parts; its text is always the same, so it is planned once. (For a page of a hundred, planning takes
 * half as long as running.) The ids are passed as one text, because a statement with a long list would be planned at each
 * run. A booking that is deleted between the two statements is left out.
 */
export async function findSearched(
  source: Source,
  organizationId: number,
  {
    where,
    orderBy,
    limit,
    offset = 0,
  }: ReservationSelection & Required<Pick<ReservationSelection, 'orderBy' | 'limit'>>,
): Promise<ReservationRow[]> {
  const ids = await readRows(
    source,
    sql<Pick<ReservationRow, 'id'>>`select r.id from reservation r ${places}
      where r.organization_id = ${organizationId} and ${where} order by ${orderBy} ${pageLimit(limit, offset)}`,
  )
  if (ids.length === 0) return []
  const listed = `{${ids.map(({ id }) => id).join(',')}}`
  const rows = await findReservations(source, organizationId, { where: sql`r.id = any(${listed}::int[])` })
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => rowOf.get(id) ?? [])
}
