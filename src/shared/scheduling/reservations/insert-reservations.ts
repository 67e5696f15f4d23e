import { type Compilable, sql } from 'kysely'
import type { Side } from '../../fleet/resources/reservation-types.rules.ts'
import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NewBooking, SeatInput } from '../rules/booking-input.types.ts'
import type { Occurrence } from '../rules/recurrence.rules.ts'
import type { FeeTier } from './booking-parts.types.ts'
import { reminderDoneAt } from './reservation.rules.ts'

/** A seat of new bookings: a member or a guest. */
interface SeatToInsert {
  side: Side
  orgUserId: number | null
  guestId: number | null
}

/** One booking of a series with its resource and location. */
interface PlacedOccurrence extends Occurrence {
  resourceId: number | null
  locationId: number | null
}

/**
 * Inserts the bookings of a series, or a single booking, with their seats in one statement. Returns the ids in the order of
 * the series. Later changes of a booking go through its entity.
 */
export async function insertReservations(
  tx: Tx,
  actor: Actor,
  input: Omit<NewBooking, 'recurrence'> & { recurrence: unknown; cancellationTerms: FeeTier[] | null },
  occurrences: readonly PlacedOccurrence[],
): Promise<number[]> {
  const { organizationId } = actor
  const { upcomingReminderHours } = actor.organization.settings
  const seats = await seatGuests(tx, organizationId, input.seats)
  const seriesId = input.recurrence ? await nextSeriesId(tx) : null
  const rows = occurrences.map(({ index, start, end, resourceId, locationId }) => ({
    organization_id: organizationId,
    title: input.title,
    type: input.type,
    starts_at: start,
    ends_at: end,
    time_zone_name: input.zone,
    notes: input.notes,
    resource_id: resourceId,
    location_id: locationId,
    created_by: actor.orgUserId,
    series_id: seriesId,
    series_index: seriesId && index,
    series_count: seriesId && occurrences.length,
    collection_style: input.collectionStyle,
    prepaid_amount_cents: input.prepaidAmountCents,
    passengers: input.passengers,
    ifr: input.ifr,
    solo: input.solo ?? null,
    meeting_url: input.meetingUrl ?? null,
    cancellation_terms: input.cancellationTerms && sql<FeeTier[]>`${JSON.stringify(input.cancellationTerms)}::jsonb`,
    made_after_start: start <= tx.now,
    reminded_for: reminderDoneAt(tx.now, start, upcomingReminderHours),
  }))
  const made = tx.db.insertInto('reservation').values(rows)
  return insertWithSeats(tx.db, made.returning(['id', 'organization_id', 'starts_at', 'ends_at']), seats)
}

/** Returns the seats to insert, and inserts guests who are not stored yet. */
export async function seatGuests(tx: Tx, organizationId: number, seats: readonly SeatInput[]): Promise<SeatToInsert[]> {
  const seated: SeatToInsert[] = []
  for (const seat of seats) {
    if ('orgUserId' in seat) seated.push({ side: seat.side, orgUserId: seat.orgUserId, guestId: null })
    else {
      const guestId = 'guestId' in seat ? seat.guestId : await findOrAddGuest(tx, organizationId, seat)
      seated.push({ side: seat.side, orgUserId: null, guestId })
    }
  }
  return seated
}

async function nextSeriesId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('reservation_series_id')::int as id`.execute(tx.db)
  return rows[0]!.id
}

/**
 * Inserts bookings with their seats in one statement. `made` inserts the bookings and returns the columns that seats copy.
 * Each booking gets the same seats in the same order. Returns the ids of the bookings in the order of insertion.
 */
async function insertWithSeats(
  db: Db,
  made: Compilable<{ id: number; organization_id: number; starts_at: Date; ends_at: Date }>,
  seats: readonly SeatToInsert[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with made as (${made}),
    seated as (
      insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at)
      select r.organization_id, r.id, s.side, s.position - 1, s.membership_id, s.guest_id, r.starts_at, r.ends_at
      from made r
      cross join unnest(${seats.map((seat) => seat.side)}::text[], ${seats.map((seat) => seat.orgUserId)}::int[],
        ${seats.map((seat) => seat.guestId)}::int[]) with ordinality as s (side, membership_id, guest_id, position)
      order by r.id, s.position)
    select id from made order by id`.execute(db)
  return rows.map(({ id }) => id)
}
