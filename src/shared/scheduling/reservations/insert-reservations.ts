import { sql } from 'kysely'
import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NewBooking, SeatInput } from '../rules/booking-input.types.ts'
import type { Occurrence } from '../rules/recurrence.rules.ts'
import { reminderDoneAt } from './reservation.rules.ts'
import { insertWithSeats, type SeatToInsert } from './reservation.table.ts'

/**
 * Inserts the bookings of a series, or one, with their seats in one statement. Returns the ids in the order of the
 * series. Later changes of a booking go through its entity.
 */
export async function insertReservations(
  tx: Tx,
  actor: Actor,
  input: Omit<NewBooking, 'recurrence'> & { recurrence: unknown },
  occurrences: readonly Occurrence[],
): Promise<number[]> {
  const { organizationId } = actor
  const { upcomingReminderHours } = actor.organization.settings
  const seats = await seatGuests(tx, organizationId, input.seats)
  const seriesId = input.recurrence ? await nextSeriesId(tx) : null
  const rows = occurrences.map(({ index, start, end }) => ({
    organization_id: organizationId,
    title: input.title,
    type: input.type,
    starts_at: start,
    ends_at: end,
    time_zone_name: input.zone,
    notes: input.notes,
    resource_id: input.resourceId,
    location_id: input.locationId,
    created_by: actor.orgUserId,
    series_id: seriesId,
    series_index: seriesId && index,
    series_count: seriesId && occurrences.length,
    collection_style: input.collectionStyle,
    prepaid_amount_cents: input.prepaidAmountCents,
    passengers: input.passengers,
    ifr: input.ifr,
    meeting_url: input.meetingUrl ?? null,
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
