import { sql } from 'kysely'
import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NewBooking, SeatInput } from '../rules/booking-input.ts'
import type { Occurrence } from '../rules/recurrence.rules.ts'
import { reminderDoneAt } from './reminder.rules.ts'

/**
 * Inserts bookings with their seats: one statement for the bookings and one for the seats, whatever the length of the
 * series. Returns the ids in the order of the series.
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
  const made = await tx.db
    .insertInto('reservation')
    .values(
      occurrences.map(({ index, start, end }) => ({
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
        meeting_url: input.meetingUrl ?? null,
        reminded_for: reminderDoneAt(tx.now, start, upcomingReminderHours),
      })),
    )
    .returning('id')
    .execute()
  const ids = made.map(({ id }) => id).sort((a, b) => a - b)
  await insertSeats(tx, organizationId, ids, seats)
  return ids
}

interface Seated {
  side: SeatInput['side']
  orgUserId: number | null
  guestId: number | null
}

/** Inserts the same seats for every booking, in the same order. */
async function insertSeats(tx: Tx, organizationId: number, ids: number[], seats: Seated[]): Promise<void> {
  if (seats.length === 0) return
  await sql`
    insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at)
    select r.organization_id, r.id, s.side, s.position - 1, s.membership_id, s.guest_id, r.starts_at, r.ends_at
    from reservation r
    cross join unnest(${seats.map((seat) => seat.side)}::text[], ${seats.map((seat) => seat.orgUserId)}::int[],
      ${seats.map((seat) => seat.guestId)}::int[]) with ordinality as s (side, membership_id, guest_id, position)
    where r.organization_id = ${organizationId} and r.id = any(${ids})
    order by r.id, s.position`.execute(tx.db)
}

async function seatGuests(tx: Tx, organizationId: number, seats: readonly SeatInput[]): Promise<Seated[]> {
  const seated: Seated[] = []
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
