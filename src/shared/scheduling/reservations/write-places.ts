import { sql } from 'kysely'
import type { OrganizationSettings } from '../../platform/authz/organization-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Reservation } from '../reservations.tables.ts'
import type { Place } from './place.rules.ts'
import { reminderDoneAt } from './reservation.rules.ts'

/** A locked booking and its new place. `seats` null: its people stay. */
export interface Move {
  entity: Reservation
  to: Omit<Place, 'seats'>
  seats: Place['seats'] | null
}

/**
 * Moves locked bookings to their new places. First makes all of them not live, so that two bookings can exchange their
 * aircraft: the exclusion constraints are checked row by row. The constraints still refuse a double booking at the end.
 */
export async function writePlaces(
  tx: Tx,
  { upcomingReminderHours }: Pick<OrganizationSettings, 'upcomingReminderHours'>,
  moves: readonly Move[],
): Promise<void> {
  const reseated = moves.filter(({ seats }) => seats !== null)
  if (moves.length > 1 || reseated.length > 0) {
    for (const { entity } of moves) tx.em.assign(entity, { live: false, cancelledAt: tx.now })
    await tx.em.flush()
    await replaceSeats(tx, reseated)
  }
  for (const { entity, to } of moves) {
    const { start, end, resourceId, locationId } = to
    const isMoved = start.getTime() !== entity.startsAt.getTime() || end.getTime() !== entity.endsAt.getTime()
    tx.em.assign(entity, {
      live: true,
      cancelledAt: null,
      startsAt: start,
      endsAt: end,
      resourceId,
      locationId,
      ...(isMoved && {
        remindedFor: reminderDoneAt(tx.now, start, upcomingReminderHours),
        madeAfterStart: start <= tx.now,
      }),
    })
  }
  await tx.em.flush()
}

/**
 * Replaces the people of bookings that are not live; the foreign key updates the seats when their bookings become live
 * again.
 */
async function replaceSeats(tx: Tx, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  const { organizationId } = moves[0]!.entity
  const ids = moves.map(({ entity }) => entity.id)
  const rows = moves.flatMap(({ entity, seats }) =>
    (seats ?? []).map((seat, position) => ({ ...seat, position, reservationId: entity.id })),
  )
  await tx.db
    .deleteFrom('seat')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', 'in', ids)
    .execute()
  await sql`
    insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at, live)
    select r.organization_id, r.id, s.side, s.position, s.membership_id, s.guest_id, r.starts_at, r.ends_at, r.live
    from unnest(${rows.map((row) => row.reservationId)}::int[], ${rows.map((row) => row.side)}::text[],
      ${rows.map((row) => row.position)}::int[], ${rows.map((row) => row.orgUserId)}::int[],
      ${rows.map((row) => row.guestId)}::int[]) as s (reservation_id, side, position, membership_id, guest_id)
    join reservation r on r.organization_id = ${organizationId} and r.id = s.reservation_id
    order by r.id, s.position`.execute(tx.db)
}
