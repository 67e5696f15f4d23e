import { type RawBuilder, sql } from 'kysely'
import { countUpTo, readRows, type Source } from '../../platform/db/read-rows.ts'

/** A window in time; a missing bound is open. */
export interface ReservationWindow {
  start?: Date | undefined
  end?: Date | undefined
  /** The start of the first booking that overlaps the window, if it is known. */
  firstStart?: Date | undefined
}

const DAY_MS = 86_400_000
/** The longest booking: maintenance 366 days, any other 60. */
const LONGEST_MS = 366 * DAY_MS
/** A window longer than this is read in the order of the list (by start), one page at a time. */
const LONG_MS = 100 * DAY_MS

/**
 * Returns the SQL condition that a booking `r` overlaps a window. A short window is read by the index of intervals, for which
 * PostgreSQL estimates few rows. A long window is read by start, from the first booking that is in progress when the window
 * begins.
 */
export function overlaps({ start, end, firstStart }: ReservationWindow): RawBuilder<unknown> {
  if (isShort({ start, end })) {
    return sql`tstzrange(r.starts_at, r.ends_at) && tstzrange(${start}, ${end})`
  }
  const within = startsWithin('r', { start, end, firstStart })
  return start ? sql`${within} and ${endsAfter('r', start)}` : within
}

/**
 * Returns the SQL condition that a booking or seat ends after an instant. PostgreSQL assumes that starts and ends are
 * independent and estimates far too few rows for a window; `coalesce` excludes the condition from that estimate.
 */
function endsAfter(alias: string, instant: Date): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(`${alias}.ends_at`)} > ${instant}, false)`
}

/**
 * Returns the start of the first booking that overlaps a long window, or the window's start; undefined for a short window. A
 * separate query finds it, because PostgreSQL can estimate the rows after a literal instant but not after the result of a
 * subquery.
 */
export async function findFirstStart(
  source: Source,
  organizationId: number,
  { start, end }: { start: Date; end: Date },
): Promise<Date | undefined> {
  if (!isLong({ start, end })) return undefined
  const [row] = await readRows(
    source,
    // Without `offset 0` a prepared plan reads all bookings by start up to the first that is in progress.
    sql<{ first: Date | null }>`select min(u.starts_at) as first from (
      select r.starts_at from reservation r
      where r.organization_id = ${organizationId} and tstzrange(r.starts_at, r.ends_at) @> ${start}::timestamptz offset 0) u`,
  )
  return row?.first ?? start
}

function isLong({ start, end }: { start: Date; end: Date }): boolean {
  return end.getTime() - start.getTime() > LONG_MS
}

/** Returns whether the index of intervals finds the bookings of a window. */
function isShort({ start, end }: ReservationWindow): boolean {
  return start !== undefined && end !== undefined && !isLong({ start, end })
}

/**
 * Returns the order by start of the bookings `r` of a window. In a short window they are sorted: the sum prevents the use of
 * the index by start, in which a prepared statement would read the bookings of the school from the newest to the window.
 */
export function byStart(window: ReservationWindow, direction: 'asc' | 'desc'): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const start = isShort(window) ? sql`r.starts_at + interval '0'` : sql`r.starts_at`
  return sql`${start} ${way}, r.id ${way}`
}

/**
 * Returns an SQL condition on the start that is true for all bookings that overlap a window, and for some that end before it.
 */
export function startsWithin(alias: string, { start, end, firstStart }: ReservationWindow): RawBuilder<unknown> {
  const startsAt = sql.ref(`${alias}.starts_at`)
  const all = [sql`true`]
  if (start) all.push(sql`${startsAt} >= ${firstStart ?? new Date(start.getTime() - LONGEST_MS)}`)
  if (end) all.push(sql`${startsAt} < ${end}`)
  return sql.join(all, sql` and `)
}

/**
 * Returns the SQL condition that a seat `s` overlaps a window. It bounds the start too, so that the index of the person can
 * be used.
 */
export function seatsWithin({ start, end, firstStart }: ReservationWindow): RawBuilder<unknown> {
  const within = startsWithin('s', { start, end, firstStart })
  return start ? sql`${within} and ${endsAfter('s', start)}` : within
}

/**
 * Returns the number of bookings that match a condition, at most `most` + 1. Without a short window they are counted in the
 * order of the list, so that the rows of other organizations are not read.
 */
export function countReservations(
  source: Source,
  organizationId: number,
  { where, window }: { where: RawBuilder<unknown>; window: ReservationWindow },
  most: number,
): Promise<number> {
  const order = isShort(window) ? sql`` : sql`order by ${byStart(window, 'desc')}`
  return countUpTo(source, sql`reservation r where r.organization_id = ${organizationId} and ${where} ${order}`, most)
}
