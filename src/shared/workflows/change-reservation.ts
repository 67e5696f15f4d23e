import { termsAfterMove } from '../billing/fees/fee.rules.ts'
import { changeExpectedBack } from '../dispatch/change-expected-back.ts'
import { type Side, typeRules } from '../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { type Cents, ZERO } from '../platform/kernel/units.ts'
import { planBookable } from '../scheduling/openings/plan-with-fix.ts'
import { findShopTime } from '../scheduling/recoveries/find-shop-slots.ts'
import { seatGuests } from '../scheduling/reservations/insert-reservations.ts'
import { mayReassign, type Place, placeChanges, type Seated } from '../scheduling/reservations/place.rules.ts'
import {
  assertBookingParty,
  assertTransition,
  type LockedReservation,
  lockReservation,
  seatsOf,
  storedBooking,
} from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import { writePlaces } from '../scheduling/reservations/write-places.ts'
import { type BookingWarning, warningsOf } from '../scheduling/rules/assert-bookable.ts'
import { locationOf, resolveGuestsByEmail } from '../scheduling/rules/booking-input.access.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import type { BookingPlan } from '../scheduling/rules/plan-booking.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { isSameSolo, type SoloFlight } from '../scheduling/rules/solo-flight.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { endHeldPlaces } from './end-held-places.ts'
import { assertChargesStand, followReassigned } from './follow-reassigned.ts'

/** The changes; absent fields do not change. Null clears the notes and the resource; a null location means that of the resource. */
export interface ReservationChanges {
  title?: string | undefined
  notes?: string | null | undefined
  start?: Date | undefined
  end?: Date | undefined
  passengers?: number | undefined
  ifr?: boolean | undefined
  /** Where a solo flight goes; null: not given. */
  solo?: SoloFlight | null | undefined
  resourceId?: number | null | undefined
  locationId?: number | null | undefined
  /** The new people of whole sides, which replace these sides of the booking. */
  sides?: { side: Side; seats: SeatInput[] }[] | undefined
  /** The lessons that the change plans; absent: those that are planned. */
  lessonIds?: readonly number[] | undefined
  /** The rules that the caller overrides for the new place; none when absent. */
  overrides?: readonly GivenOverride[] | undefined
  /** The accepted offer that moves it: who accepts need not have the right to reassign it. */
  offerId?: number | undefined
  /** The most that it may cost at its new place, in cents. Absent or null: any price. */
  mostCents?: Cents | null | undefined
  /** The new expected return of a flight that is out. */
  expectedBackAt?: Date | undefined
}

/** The requested people and place of a booking; guests may be given by name. */
interface Asked {
  start: Date
  end: Date
  resourceId: number | null
  /** Null for the location of the resource. */
  locationId: number | null
  /** Null when the people do not change. */
  seats: SeatInput[] | null
  passengers: number
  ifr: boolean
  solo: SoloFlight | null
  lessonIds: readonly number[]
  overrides: readonly GivenOverride[]
  offerId?: number | undefined
  mostCents?: Cents | null | undefined
}

/**
 * Edits, moves or reassigns a booking; its id, series, calendar entry and prepaid invoice stay the same. A change of time, resource,
 * location, people, passengers, flight rules or route is checked by all booking rules, with the rights of the member who makes it. Only this
 * booking of a series changes. A request without changes writes nothing. `warnings`: the warnings of the rules about the new place.
 * Implements interface §Reservations, PATCH /reservations/{id}.
 */
export async function changeReservation(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: ReservationChanges,
): Promise<{ id: number; warnings: BookingWarning[]; payersChanged: boolean }> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  assertTransition('changeText', row)
  if (changes.expectedBackAt) changeExpectedBack(tx, actor, row, changes.expectedBackAt)
  const { title = row.title, notes = row.notes } = changes
  const from = placeOf(row)
  const asked = await askedFor(tx, actor, row, changes)
  const isRouted = !isSameSolo(asked.solo, row.solo)
  const isFlownOtherwise = asked.passengers !== row.passengers || asked.ifr !== row.ifr || isRouted
  const unchanged = { id, warnings: [], payersChanged: false }
  const isPlaced = isFlownOtherwise || isElsewhere(from, asked)
  if (!isPlaced && title === row.title && notes === row.notes) return unchanged
  tx.em.assign(row.entity, { title, notes })
  if (!isPlaced) {
    emit(tx, actor, { kind: 'reservation.changed', subject: { kind: 'reservation', id } })
    return unchanged
  }
  const { plan, to } = await judged(tx, actor, row, asked)
  tx.em.assign(row.entity, { passengers: asked.passengers, ifr: asked.ifr, solo: asked.solo })
  if (isElsewhere(from, asked)) keepTerms(tx, actor, row, { plan, isOffered: asked.offerId !== undefined })
  await writePlaces(tx, actor.organization.settings, [{ entity: row.entity, to, seats: asked.seats && to.seats }])
  const taken = { ...plan.judged[0]!, id }
  if (taken.endsHoldsOf.length + taken.endsOffers.length > 0) await endHeldPlaces(tx, actor, [taken])
  const payersChanged = await followReassigned(tx, row, to.seats)
  emit(tx, actor, { kind: 'reservation.changed', subject: { kind: 'reservation', id }, ...placeChanges(from, to) })
  await recordOverrides(tx, actor, plan, [id])
  return { id, warnings: warningsOf(plan, row.time_zone_name), payersChanged }
}

/** Writes the terms of a booking that its payer moves; moves by others keep them. */
function keepTerms(
  tx: Tx,
  actor: Actor,
  row: LockedReservation,
  { plan, isOffered }: { plan: BookingPlan; isOffered: boolean },
): void {
  const { settings } = actor.organization
  if (row.cancellation_terms === null && settings.cancellationFees.length === 0) return
  const { pays } = typeRules[row.type]
  if (!row.seats.some(({ side, orgUserId }) => side === pays && orgUserId === actor.orgUserId)) return
  const estimatedCents = (row.prepaid_amount_cents ?? plan.estimatedCents) || ZERO
  tx.em.assign(row.entity, termsAfterMove(row, settings, { now: tx.now, estimatedCents, isOffered }))
}

/** Returns the place of a loaded booking. */
export function placeOf({ starts_at, ends_at, resource, location, seats }: ReservationRow): Place {
  return {
    start: starts_at,
    end: ends_at,
    resourceId: resource?.id ?? null,
    locationId: location?.id ?? null,
    seats: seats.map(({ side, orgUserId, guestId }) => ({ side, orgUserId, guestId })),
  }
}

async function askedFor(tx: Tx, actor: Actor, row: ReservationRow, changes: ReservationChanges): Promise<Asked> {
  const from = placeOf(row)
  const { start = row.starts_at, end = row.ends_at, passengers = row.passengers, ifr = row.ifr } = changes
  const { resourceId = from.resourceId, sides = [], overrides = [], offerId, mostCents } = changes
  const { solo = row.solo } = changes
  const { lessonIds = row.lessons.map((lesson) => lesson.id) } = changes
  const isOther = resourceId !== from.resourceId && resourceId !== null
  const { locationId = isOther ? null : from.locationId } = changes
  const replaced = new Set(sides.map(({ side }) => side))
  const kept = seatsOf(from.seats.filter(({ side }) => !replaced.has(side)))
  const seats = await resolveGuestsByEmail(tx.db, actor.organizationId, [...kept, ...sides.flatMap((one) => one.seats)])
  const isReseated = placeChanges(from, { ...from, seats: seats.map(seatedAs) }) !== null
  const people = isReseated ? seats : null
  return {
    start,
    end,
    resourceId,
    locationId,
    seats: people,
    passengers,
    ifr,
    solo,
    lessonIds,
    overrides,
    offerId,
    mostCents,
  }
}

/** Returns a seat in the form of stored seats, for comparison. `guestId` 0 means a guest who is not stored yet. */
function seatedAs(seat: SeatInput): Seated {
  if ('orgUserId' in seat) return { side: seat.side, orgUserId: seat.orgUserId, guestId: null }
  return { side: seat.side, orgUserId: null, guestId: 'guestId' in seat ? seat.guestId : 0 }
}

function isElsewhere(from: Place, { start, end, resourceId, locationId, seats }: Asked): boolean {
  return seats !== null || placeChanges(from, { ...from, start, end, resourceId, locationId }) !== null
}

/** Checks the booking at its new place; throws when it is refused. Returns the plan, and the place with location and stored guests. */
async function judged(
  tx: Tx,
  actor: Actor,
  row: LockedReservation,
  asked: Asked,
): Promise<{ plan: BookingPlan; to: Place }> {
  assertTransition('change', row)
  const from = placeOf(row)
  const { start, end, resourceId, passengers, ifr, solo, lessonIds, overrides, offerId, mostCents } = asked
  const isReassigned = isElsewhere(from, { ...asked, start: from.start, end: from.end }) || !isSameSolo(solo, row.solo)
  if (isReassigned && offerId === undefined && !mayReassign({ createdBy: row.created_by, seats: from.seats }, actor)) {
    throw schedulingErrors.mayNotReassign()
  }
  const seats = asked.seats ?? seatsOf(from.seats)
  const resourceIds = [from.resourceId, resourceId].filter((id) => id !== null)
  await lockSlots(tx.db, { resourceIds, seats: [...seats, ...seatsOf(from.seats)] }, { planOnce: true })
  const input = {
    ...storedBooking(row),
    start,
    end,
    resourceId,
    locationId: asked.locationId,
    seats,
    passengers,
    ifr,
    solo,
    lessonIds,
    overrides,
    offerId,
    mostCents,
  }
  const plan = await planBookable(tx, actor, input, row.time_zone_name, findShopTime)
  const stays = resourceId === from.resourceId && asked.locationId === from.locationId
  const locationId = stays ? from.locationId : await locationOf(tx.db, actor, asked.locationId, plan.resourceLocationId)
  const to = { start, end, resourceId, locationId, seats: await seatGuests(tx, actor.organizationId, seats) }
  assertChargesStand(actor, row, to.seats)
  return { plan, to }
}
