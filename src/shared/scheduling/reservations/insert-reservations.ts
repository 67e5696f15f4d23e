import { type RawBuilder, sql } from 'kysely'
import { findOrAddGuest } from '../../identity/members/find-or-add-guest.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { NewBooking, SeatInput } from '../rules/booking-input.ts'
import type { Occurrence } from '../rules/recurrence.rules.ts'
import { reminderDoneAt } from './reminder.rules.ts'

/**
 * Inserts bookings with their seats in one statement, whatever the length of the series. Returns the ids in the order of
 * the series. Later changes of a booking go through its entity.
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
    meeting_url: input.meetingUrl ?? null,
    reminded_for: reminderDoneAt(tx.now, start, upcomingReminderHours),
  }))
  const made = await tx.db
    .with('made', (db) =>
      db.insertInto('reservation').values(rows).returning(['id', 'organization_id', 'starts_at', 'ends_at']),
    )
    .with('seated', (db) =>
      db.insertInto('seat').columns(seatColumns).expression(seatsOfEach(seats)).returning('reservation_id'),
    )
    .selectFrom('made')
    .select('id')
    .orderBy('id')
    .execute()
  return made.map(({ id }) => id)
}

interface Seated {
  side: SeatInput['side']
  orgUserId: number | null
  guestId: number | null
}

const seatColumns = [
  'organization_id',
  'reservation_id',
  'side',
  'position',
  'membership_id',
  'guest_id',
  'starts_at',
  'ends_at',
] as const

/** Returns the rows of the same seats for every booking of `made`, in the same order. */
function seatsOfEach(seats: Seated[]): RawBuilder<unknown> {
  return sql`
    select r.organization_id, r.id, s.side, s.position - 1, s.membership_id, s.guest_id, r.starts_at, r.ends_at
    from made r
    cross join unnest(${seats.map((seat) => seat.side)}::text[], ${seats.map((seat) => seat.orgUserId)}::int[],
      ${seats.map((seat) => seat.guestId)}::int[]) with ordinality as s (side, membership_id, guest_id, position)
    order by r.id, s.position`
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
