import { sql } from 'kysely'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { findReservations, type ReservationRow } from '../reservations/reservation.queries.ts'
import { reservationCondition } from '../reservations/reservation-filter.queries.ts'

/** A calendar feed in use. */
export interface Feed {
  id: number
  organization_id: number
  membership_id: number
  /** The organization's name. */
  name: string
  /** The organization's zone. */
  zone: string
}

/** The number of changes of a booking: in total, and in the last 24 hours. */
interface Changes {
  sequence: number
  today: number
}

/** The contents of a calendar. */
export interface Calendar {
  organization: string
  zone: string
  bookings: ReservationRow[]
  /** The changes of each booking by its id; a booking without changes is absent. */
  changes: ReadonlyMap<number, Changes>
}

const DAY_MS = 86_400_000
/** A calendar contains the bookings of this many past days and all future bookings, at most `MOST` in total. */
const DAYS_BACK = 90
const MOST = 2_000

/** Returns the feed of a token; null for an unknown token or a removed member. */
export async function findCalendarFeed(db: Db, mailTokens: MailTokens, token: string): Promise<Feed | null> {
  const feed = await db
    .selectFrom('calendar_feed as f')
    .innerJoin('membership as m', 'm.id', 'f.membership_id')
    .innerJoin('organization as o', 'o.id', 'f.organization_id')
    .select(['f.id', 'f.organization_id', 'f.membership_id', 'o.name', 'o.time_zone_name as zone'])
    .where('f.token_hash', '=', mailTokens.hashOf(token))
    .where('m.removed_at', 'is', null)
    .executeTakeFirst()
  return feed ?? null
}

/** Returns the live bookings of the feed's member only, with notes and meeting URLs. */
export async function readCalendar(database: Database, feed: Feed, now: Date): Promise<Calendar> {
  const start = new Date(now.getTime() - DAYS_BACK * DAY_MS)
  const seated = [{ organizationId: feed.organization_id, orgUserIds: [feed.membership_id] }]
  const bookings = await findReservations(database, feed.organization_id, {
    where: reservationCondition({ seated, start }, now),
    limit: MOST,
  })
  const changes = await findChanges(database.db, feed.organization_id, bookings, now)
  return { organization: feed.name, zone: feed.zone, bookings, changes }
}

/** Returns the changes of bookings by id; bookings without changes are absent. */
export async function findChanges(
  db: Db,
  organizationId: number,
  bookings: readonly { id: number }[],
  now: Date,
): Promise<Map<number, Changes>> {
  if (bookings.length === 0) return new Map()
  const rows = await db
    .selectFrom('event')
    .select([
      'subject_id as id',
      sql<number>`count(*)::int`.as('sequence'),
      sql<number>`count(*) filter (where at > ${new Date(now.getTime() - DAY_MS)})::int`.as('today'),
    ])
    .where('organization_id', '=', organizationId)
    .where('subject_kind', '=', 'reservation')
    .where(
      'subject_id',
      'in',
      bookings.map(({ id }) => id),
    )
    .where('kind', 'in', [
      'reservation.changed',
      'reservation.seat_freed',
      'reservation.cancelled',
      'reservation.restored',
    ])
    .groupBy('subject_id')
    .execute()
  return new Map(rows.map(({ id, ...changes }) => [Number(id), changes]))
}
