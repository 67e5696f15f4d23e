import { sql } from 'kysely'
import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { raisePrepaid } from '../invoices/raise-prepaid.ts'
import { Invalid } from '../kernel/errors.ts'
import type { Interval } from '../kernel/instants.ts'
import { findOrAddGuest } from '../members/find-or-add-guest.ts'
import { notify } from '../notifications/notify.ts'
import { type BookingInput, loadBookingFacts, type SeatInput } from './load-booking-facts.ts'
import { expandRecurrence, type Occurrence, type Recurrence } from './recurrence.rules.ts'
import { refuseBooking } from './refuse-booking.ts'
import { Reservation, Seat } from './reservation.entity.ts'

export interface CreateReservation extends BookingInput {
  title: string
  notes: string | null
  locationId: number | null
  recurrence: Recurrence | null
  collectionStyle: 'close_out' | 'prepaid_fixed'
  prepaidAmountCents: number | null
}

/**
 * Books one slot, or a series of them: all or nothing. A prepaid booking's package is charged in the same
 * transaction. Two requests for one slot are settled by the database.
 * @throws Invalid with everything that stands in the way; Forbidden when the caller may not make this booking.
 */
export async function createReservation(tx: Tx, actor: Actor, input: CreateReservation): Promise<{ ids: number[] }> {
  checkCollection(input)
  const occurrences = occurrencesOf(input)
  const span: Interval = { start: occurrences[0]!.start, end: occurrences.at(-1)!.end }
  const facts = await loadBookingFacts(tx.db, actor, tx.now, input, span)
  refuseBooking(facts, occurrences)
  const locationId = await locationOf(tx, actor, input.locationId, facts.locationId)
  const seats = await seatGuests(tx, actor.organizationId, input.seats)
  const seriesId = input.recurrence ? await nextSeriesId(tx) : null
  const made = occurrences.map((occurrence) =>
    tx.em.create(Reservation, {
      organizationId: actor.organizationId,
      title: input.title,
      type: input.type,
      startsAt: occurrence.start,
      endsAt: occurrence.end,
      timeZoneName: input.zone,
      notes: input.notes,
      resourceId: input.resourceId,
      locationId,
      createdBy: actor.orgUserId,
      seriesId,
      seriesIndex: seriesId && occurrence.index,
      seriesCount: seriesId && occurrences.length,
      collectionStyle: input.collectionStyle,
      prepaidAmountCents: input.prepaidAmountCents,
    }),
  )
  for (const reservation of made) {
    for (const [index, seat] of seats.entries()) {
      tx.em.create(Seat, {
        organizationId: actor.organizationId,
        reservation,
        side: seat.side,
        position: index,
        membershipId: seat.orgUserId,
        guestId: seat.guestId,
        startsAt: reservation.startsAt,
        endsAt: reservation.endsAt,
      })
    }
  }
  await tx.em.flush()
  const ids = made.map((reservation) => reservation.id)
  if (input.collectionStyle === 'prepaid_fixed') await raisePrepaid(tx, actor, ids[0]!)
  notify(tx, {
    organizationId: actor.organizationId,
    kind: 'reservation_created',
    subjectId: ids[0]!,
    causedBy: actor.orgUserId,
  })
  return { ids }
}

function checkCollection({ collectionStyle, recurrence, type }: CreateReservation): void {
  if (collectionStyle !== 'prepaid_fixed') return
  if (recurrence) throw new Invalid('collectionStyle: a recurring series cannot be prepaid')
  if (type === 'maintenance') throw new Invalid('collectionStyle: maintenance cannot be prepaid')
}

function occurrencesOf({ recurrence, start, end, zone }: CreateReservation): Occurrence[] {
  if (!recurrence) return [{ index: 1, start, end }]
  const series = expandRecurrence(recurrence, { start, end }, zone)
  if (series.problems) {
    throw new Invalid(series.problems.map((problem) => problem.message).join('; '), undefined, {
      problems: series.problems,
    })
  }
  return series.occurrences
}

/** The location asked for, else the resource's. @throws Invalid when it is not the organization's. */
async function locationOf(
  tx: Tx,
  actor: Actor,
  asked: number | null,
  ofResource: number | null,
): Promise<number | null> {
  if (asked === null || asked === ofResource) return ofResource
  const found = await tx.db
    .selectFrom('location')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', asked)
    .executeTakeFirst()
  if (!found) throw new Invalid('location.id: there is no such location')
  return asked
}

async function seatGuests(tx: Tx, organizationId: number, seats: SeatInput[]) {
  const seated = []
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
