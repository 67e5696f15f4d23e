import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Offer } from '../waitlist.tables.ts'
import type { OfferStatus } from './waitlist.states.ts'

/** An open offer of the waiting list, and who made its entry. */
export interface OpenOffer extends Interval {
  id: number
  orgUserId: number
  makerId: number | null
  type: Offer['type']
  resourceId: number | null
  instructorId: number | null
  movesId: number | null
  /** Whether that booking was moved, or given to others, since the offer was made. */
  isChanged: boolean
}

/** The condition that the booking which an offer `f` moves was moved, or given to others, since the offer was made. */
const isChanged = sql<boolean>`exists (select from event v where v.organization_id = f.organization_id
  and v.subject_kind = 'reservation' and v.subject_id = f.moves_id and v.kind = 'reservation.changed'
  and v.before is not null and v.sequence > (select max(w.sequence) from event w
    where w.organization_id = f.organization_id and w.subject_kind = 'offer' and w.subject_id = f.id and w.kind = 'offer.made'))`

/** Returns the open offers of the waiting list of an organization. */
export async function findOpenOffers(db: Db, organizationId: number): Promise<OpenOffer[]> {
  const { rows } = await sql<OpenOffer>`
    select f.id, f.membership_id as "orgUserId", e.created_by as "makerId", f.type, f.starts_at as start, f.ends_at as "end",
      f.resource_id as "resourceId", f.instructor_id as "instructorId", f.moves_id as "movesId", ${isChanged} as "isChanged"
    from offer f
    left join waitlist_entry e on e.organization_id = f.organization_id and e.id = f.entry_id
    where f.organization_id = ${organizationId} and f.status = 'open' and f.source = 'waitlist'
    order by f.id`.execute(db)
  return rows
}

/** Returns whether the booking that an offer moves was moved, or given to others, since the offer was made. */
export async function isMovedSince(db: Db, { organizationId, id }: Offer): Promise<boolean> {
  const { rows } = await sql<{ isChanged: boolean }>`
    select ${isChanged} as "isChanged" from offer f
    where f.organization_id = ${organizationId} and f.id = ${id}`.execute(db)
  return rows[0]!.isChanged
}

/**
 * Returns which of these bookings is what an offer of the waiting list offers: its type and all of its place, with its people, and the
 * booking that it moves, if it moves one. Null when none is. What a recovery offers is taken by accepting alone.
 */
export async function findBookingOf(db: Db, offer: Offer, reservationIds: readonly number[]): Promise<number | null> {
  const { organizationId, source, type, startsAt, endsAt, membershipId, instructorId } = offer
  if (source === 'recovery') return null
  const people = [membershipId, ...(instructorId == null ? [] : [instructorId])]
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r
    where r.organization_id = ${organizationId} and r.id = any(${reservationIds}::int[]) and r.type = ${type}
      and r.resource_id is not distinct from ${offer.resourceId ?? null}::int
      and r.starts_at <= ${startsAt} and r.ends_at >= ${endsAt}
      and r.id = coalesce(${offer.movesId ?? null}::int, r.id)
      and ${people}::int[] <@ array(select s.membership_id from seat s where s.organization_id = r.organization_id
        and s.reservation_id = r.id)
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns which of these bookings an open offer moves. */
export async function findMovedByOffers(db: Db, organizationId: number, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select f.moves_id as id from offer f
    where f.organization_id = ${organizationId} and f.status = 'open' and f.moves_id = any(${ids}::int[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the id of the entry of an offer; null without one. */
export async function findEntryIdOf(db: Db, organizationId: number, offerId: number): Promise<number | null> {
  const row = await db
    .selectFrom('offer')
    .select('entry_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', offerId)
    .executeTakeFirst()
  return row?.entry_id ?? null
}

/** Returns what became of the latest offers of an entry that its member could answer, the latest first. */
export async function findLatestAnswers(
  db: Db,
  organizationId: number,
  entryId: number,
  most: number,
): Promise<OfferStatus[]> {
  const rows = await db
    .selectFrom('offer')
    .select('status')
    .where('organization_id', '=', organizationId)
    .where('entry_id', '=', entryId)
    .where('status', 'in', ['expired', 'declined', 'accepted'])
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ status }) => status)
}

/** Returns open offers of all organizations that expired before an instant, the oldest first. */
export async function findLateOffers(
  db: Db,
  before: Date,
  most: number,
): Promise<{ id: number; organizationId: number }[]> {
  return db
    .selectFrom('offer')
    .select(['id', 'organization_id as organizationId'])
    .where('status', '=', 'open')
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(most)
    .execute()
}

/** Returns the open offers whose places closures cover: of the organization, of their resource, or of its location. */
export async function findCoveredOffers(
  db: Db,
  organizationId: number,
  closureIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select f.id from offer f
    left join resource x on x.organization_id = f.organization_id and x.id = f.resource_id
    where f.organization_id = ${organizationId} and f.status = 'open' and exists (select from closure c
      where c.organization_id = f.organization_id and c.id = any(${closureIds}::int[])
        and c.starts_at < f.ends_at and c.ends_at > f.starts_at and (c.resource_id is null or c.resource_id = f.resource_id)
        and (c.location_id is null or c.location_id = x.location_id))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether the person of an offer is on one of these bookings. */
export async function isSeatedOn(
  db: Db,
  { organizationId, membershipId }: Pick<Offer, 'organizationId' | 'membershipId'>,
  reservationIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    select from seat where organization_id = ${organizationId} and membership_id = ${membershipId}
      and reservation_id = any(${reservationIds}::int[]) limit 1`.execute(db)
  return rows.length > 0
}
