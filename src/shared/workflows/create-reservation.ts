import { feeTiersOf } from '../billing/fees/fee.rules.ts'
import { createPrepaidInvoice } from '../billing/invoices/create-prepaid.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { ZERO } from '../platform/kernel/units.ts'
import { planBookable } from '../scheduling/openings/plan-with-fix.ts'
import { findShopTime } from '../scheduling/recoveries/find-shop-slots.ts'
import { insertReservations } from '../scheduling/reservations/insert-reservations.ts'
import { assertSetsPrice } from '../scheduling/reservations/reservation.access.ts'
import { lockSlots } from '../scheduling/reservations/slots.access.ts'
import { type BookingWarning, warningsOf } from '../scheduling/rules/assert-bookable.ts'
import { locationOf, resolveGuestsByEmail } from '../scheduling/rules/booking-input.access.ts'
import type { NewBooking, SeatInput } from '../scheduling/rules/booking-input.types.ts'
import { findPoolMembers } from '../scheduling/rules/pool.queries.ts'
import type { Problem } from '../scheduling/rules/problems.ts'
import { recordOverrides } from '../scheduling/rules/record-overrides.ts'
import { type LessonPlan, type LessonWarning, planLessons } from '../training/enrollments/plan-lessons.ts'
import { endHeldPlaces } from './end-held-places.ts'

/** The bookings that a request created, with what of their series is left out. */
export interface CreatedBookings {
  ids: number[]
  /** The invoice of a prepaid package. */
  invoiceId: number | null
  warnings: (BookingWarning | LessonWarning)[]
  skipped: SkippedBooking[]
}

/** A booking of a series that the rules refuse. */
export interface SkippedBooking {
  start: string
  problems: Problem[]
}

/**
 * Creates a booking or a series of bookings, all or nothing unless the series skips what the rules refuse, and plans `lessons` for each. With a pool, each booking takes
 * the first resource of the pool that is accepted. A prepaid package is
 * charged in the same transaction; `invoiceId` is its invoice. The locks on the slot let the later of two concurrent
 * requests see the booking of the earlier one.
 * Implements interface §Reservations, POST /reservations.
 */
export async function createReservation(
  tx: Tx,
  actor: Actor,
  input: NewBooking,
  lessons: LessonPlan = {},
): Promise<CreatedBookings> {
  const seats = await resolveGuestsByEmail(tx.db, actor.organizationId, input.seats)
  const resourceIds = await findSlotResources(tx, actor, input)
  await lockSlots(tx.db, { resourceIds, seats }, { planOnce: !input.recurrence })
  const plan = await planBookable(tx, actor, { ...input, seats }, input.zone, findShopTime)
  assertSetsPrice(actor, input.collectionStyle)
  const locationId = await locationOf(tx.db, actor, input.locationId, plan.resourceLocationId)
  const occurrences = plan.judged.map(({ occurrence, resourceId, resourceLocationId }) => ({
    ...occurrence,
    resourceId,
    locationId: input.pool == null ? locationId : resourceLocationId,
  }))
  const { settings } = actor.organization
  const estimatedCents = (input.prepaidAmountCents ?? plan.estimatedCents) || ZERO
  const cancellationTerms =
    settings.cancellationFees.length > 0 ? feeTiersOf(settings, { type: input.type, estimatedCents }) : null
  const ids = await insertReservations(tx, actor, { ...input, seats, cancellationTerms }, occurrences)
  const placed = plan.judged.map((judged, at) => ({ ...judged, id: ids[at]! }))
  const taken = placed.filter(({ endsHoldsOf, endsOffers }) => endsHoldsOf.length + endsOffers.length > 0)
  if (taken.length > 0) await endHeldPlaces(tx, actor, taken)
  const planned = { ids, type: input.type, studentIds: studentsOf(seats) }
  const lessonWarnings = await planLessons(tx, actor, planned, lessons)
  const charged = input.collectionStyle === 'prepaid_fixed' ? await createPrepaidInvoice(tx, actor, ids[0]!) : null
  for (const [index, id] of ids.entries()) {
    const after = index > 0 ? { partOf: ids[0] } : {}
    emit(tx, actor, { kind: 'reservation.created', subject: { kind: 'reservation', id }, after })
  }
  await recordOverrides(tx, actor, plan, ids)
  return {
    ids,
    invoiceId: charged?.invoiceId ?? null,
    warnings: [...warningsOf(plan, input.zone), ...lessonWarnings],
    skipped: plan.skipped.map(({ occurrence, problems }) => ({ start: occurrence.start.toISOString(), problems })),
  }
}

/**
 * Returns the resources whose slots are locked: of a pool all, since any of them may be taken, and so that bookings of the
 * pool run one at a time.
 */
async function findSlotResources(tx: Tx, { organizationId }: Actor, input: NewBooking): Promise<number[]> {
  const { resourceId, pool = null, locationId } = input
  if (pool !== null) return findPoolMembers(tx.db, organizationId, { pool, locationId })
  return resourceId === null ? [] : [resourceId]
}

function studentsOf(seats: readonly SeatInput[]): number[] {
  return seats.flatMap((seat) => (seat.side === 'students' && 'orgUserId' in seat ? [seat.orgUserId] : []))
}
