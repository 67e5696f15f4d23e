import { sql } from 'kysely'
import { findReached } from '../../communication/notifications/reached.access.ts'
import type { WaitlistOrder } from '../../platform/authz/offer-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { orderKey } from './entry.queries.ts'
import { freedByChanges, type PlaceChange, type TakenPlace } from './freed-times.rules.ts'
import { type BarredTime, MOST_OPEN, type OfferCounts, type Waiting } from './places.rules.ts'
import type { WaitingType } from './waitlist.states.ts'

/** An entry that waits, in the order in which entries are asked, with what decides whether it is offered a place. */
export interface WaitingEntry extends Waiting, OfferCounts {
  makerId: number
  type: WaitingType
  /** The instructors of the member's open enrollments. */
  ownInstructorIds: number[]
  /** Whether that booking is cancelled, or flown. */
  moves: 'ahead' | 'cancelled' | 'flown' | null
  /** Whether the member has flown here. */
  hasFlown: boolean
}

type StoredEntry = Omit<WaitingEntry, 'windows' | 'isReachable'> & { windows: { start: string; end: string }[] }

/** Returns the entries that wait without an open offer, in the order in which they are asked. */
export async function findWaiting(
  tx: Tx,
  organizationId: number,
  { order, dayStart, factor }: { order: WaitlistOrder; dayStart: Date; factor: number },
): Promise<WaitingEntry[]> {
  const { db, now } = tx
  const offers = (where: ReturnType<typeof sql>) => sql`(select count(*)::int from offer f
    where f.organization_id = e.organization_id and f.membership_id = e.membership_id and f.source = 'waitlist' and ${where})`
  const silent = sql`f.status = 'expired' and f.ended_at > ${now}::timestamptz - interval '30 days'`
  const { rows } = await sql<StoredEntry>`
    select e.id, e.membership_id as "orgUserId", e.created_by as "makerId", e.type, e.windows,
      e.duration_minutes as "durationMinutes", e.notice_minutes as "noticeMinutes", e.pool,
      e.instead_of_id as "insteadOfId", case when b.live then b.starts_at end as "movesStart",
      case when b.id is null then null when not b.live then 'cancelled' when b.ramped_out_at is not null then 'flown'
        else 'ahead' end as moves,
      array(select c.resource_id from waitlist_choice c where c.organization_id = e.organization_id and c.entry_id = e.id
        and c.resource_id is not null union select x.id from resource x where x.organization_id = e.organization_id
        and lower(x.pool) = lower(e.pool)) as "resourceIds",
      array(select c.membership_id from waitlist_choice c where c.organization_id = e.organization_id and c.entry_id = e.id
        and c.membership_id is not null) as "instructorIds",
      array(select n.instructor_id from enrollment n where n.organization_id = e.organization_id
        and n.membership_id = e.membership_id and n.status = 'enrolled' and n.instructor_id is not null)
        as "ownInstructorIds",
      exists (select from seat s join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
        where s.organization_id = e.organization_id and s.membership_id = e.membership_id and r.ramped_in_at is not null)
        as "hasFlown",
      ${offers(sql`f.status = 'open'`)} as "openOffers", ${offers(sql`f.made_at >= ${dayStart}`)} as "offersOfDay",
      ${offers(silent)} as silences,
      (select max(f.ended_at) from offer f where f.organization_id = e.organization_id
        and f.membership_id = e.membership_id and f.source = 'waitlist' and ${silent}) as "silentAt"
    from waitlist_entry e
    left join reservation b on b.organization_id = e.organization_id and b.id = e.instead_of_id
    where e.organization_id = ${organizationId} and e.status = 'waiting' and not exists (select from offer f
      where f.organization_id = e.organization_id and f.entry_id = e.id and f.status = 'open')
    order by ${orderKey(order)}, e.ranked_at, e.id`.execute(db)
  const reached = await findReached(tx, { organizationId, kind: 'slot_offered', factor }, rows)
  return rows.map(({ windows, ...entry }, at) => ({
    ...entry,
    isReachable: reached.has(rows[at]!),
    windows: windows.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) })),
  }))
}

/**
 * Returns the times that are not offered: of open offers, to everybody; of earlier offers that had an answer or needed one, to
 * their entries; those that were booked over in the last day, to nobody; and those that a person freed in the last day, to that
 * person. An offer that was withdrawn otherwise bars nothing, once what withdrew it is gone.
 */
export async function findBarred(db: Db, organizationId: number, now: Date): Promise<BarredTime[]> {
  const yesterday = new Date(now.getTime() - 86_400_000)
  const { rows } = await sql<BarredTime>`
    select f.starts_at as start, f.ends_at as "end", f.resource_id as "resourceId", f.instructor_id as "instructorId",
      f.membership_id as "orgUserId", f.entry_id as "entryId",
      case when f.status = 'open' then 'open' when f.status = 'withdrawn' then f.cause else 'answered' end as why
    from offer f where f.organization_id = ${organizationId} and f.ends_at > ${now} and (f.status <> 'withdrawn'
      or f.cause = 'instructor' or (f.cause = 'booked' and f.ended_at > ${yesterday}))
    union all
    select r.starts_at, r.ends_at, r.resource_id, s.membership_id, r.cancelled_by, null, 'freed'
    from reservation r
    left join seat s on s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'instructors'
    where r.organization_id = ${organizationId} and r.cancelled_at > ${yesterday} and r.ends_at > ${now}`.execute(db)
  return [...rows, ...(await findFreedByChanges(db, organizationId, { since: yesterday, now }))]
}

/** Returns the times that members who wait freed by changing bookings, or by accepting an offer that moved one. */
async function findFreedByChanges(
  db: Db,
  organizationId: number,
  { since, now }: { since: Date; now: Date },
): Promise<BarredTime[]> {
  const { rows } = await sql<TakenPlace & { changes: PlaceChange[] }>`
    with change as materialized (
      select v.subject_id as id, v.sequence, v.before, coalesce((select f.membership_id from offer f
        where f.organization_id = v.organization_id and f.reservation_id = v.subject_id and f.moves_id = v.subject_id
          and f.ended_at = v.at limit 1), v.membership_id) as by
      from event v
      where v.organization_id = ${organizationId} and v.kind = 'reservation.changed' and v.at > ${since}
        and v.before is not null)
    select r.starts_at as start, r.ends_at as "end", r.resource_id as "resourceId",
      array(select s.membership_id from seat s where s.organization_id = r.organization_id and s.reservation_id = r.id
        and s.side = 'instructors') as "instructorIds",
      (select json_agg(json_build_object('orgUserId', c.by, 'before', c.before) order by c.sequence desc)
        from change c where c.id = r.id) as changes
    from reservation r
    where r.organization_id = ${organizationId} and r.id in (select c.id from change c join waitlist_entry e
      on e.organization_id = ${organizationId} and e.membership_id = c.by and e.status = 'waiting')`.execute(db)
  return rows.flatMap(({ changes, ...place }) => freedByChanges(place, changes)).filter(({ end }) => end > now)
}

/**
 * Returns the entries that wait of a person who had as many open offers of the waiting list as one may have until this one ended; none of
 * anybody else.
 */
export async function findPassedOver(
  db: Db,
  {
    organizationId,
    membershipId,
    entryId = null,
  }: { organizationId: number; membershipId: number; entryId?: number | null },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from waitlist_entry e
    where e.organization_id = ${organizationId} and e.membership_id = ${membershipId} and e.status = 'waiting'
      and e.id is distinct from ${entryId}::int and (select count(*) from offer f
        where f.organization_id = e.organization_id and f.membership_id = e.membership_id and f.source = 'waitlist'
          and f.status = 'open') = ${MOST_OPEN - 1}
      and not exists (select from offer f
        where f.organization_id = e.organization_id and f.entry_id = e.id and f.status = 'open')`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns for how many minutes earlier offers have held a place, all together. */
export async function findHeldMinutes(
  db: Db,
  organizationId: number,
  place: Interval & { resourceId: number | null },
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select coalesce(sum(extract(epoch from least(f.holds_until, coalesce(f.ended_at, ${now})) - f.made_at) / 60), 0)::float
      as minutes
    from offer f
    where f.organization_id = ${organizationId} and f.resource_id = ${place.resourceId}
      and f.starts_at < ${place.end} and f.ends_at > ${place.start}`.execute(db)
  return Math.max(0, rows[0]?.minutes ?? 0)
}
