import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { forbidsBooking } from './booking.rules.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { BookingToPlan } from './booking-input.types.ts'
import { checksOf, judge } from './judge.rules.ts'
import { loadBookingFacts } from './load-booking-facts.ts'
import { offersOver } from './offers.rules.ts'
import { assertHasCurrencies, loadOverrides } from './override.access.ts'
import { type Finding, type Judgement, shapeProblem } from './problems.ts'
import { expandRecurrence, type Occurrence } from './recurrence.rules.ts'
import { heldAt } from './resource.rules.ts'

/** A single booking, or one booking of a series, with the result of the rules. */
export interface JudgedOccurrence extends Judgement {
  occurrence: Occurrence
}

/** The result of checking a booking or series before it is written. */
export interface BookingPlan {
  /** The error when the caller may not create it themselves; null when they may. */
  forbidden: PlainError<403> | null
  judged: JudgedOccurrence[]
  resourceId: number | null
  /** The location of the resource; null without one. */
  resourceLocationId: number | null
  /** The guests' requests whose unconfirmed holds end when it is booked. */
  endsHoldsOf: number[]
  /** The open offers that end when it is booked. */
  endsOffers: number[]
}

/**
 * Checks a booking or series against every rule and writes nothing, so that a check and the booking itself have the same
 * result. Implements interface §Reservations rule 7 (no prepaid series or maintenance).
 * @throws Invalid when the times, the recurrence, a person or the resource is invalid.
 */
export async function planBooking(db: Db, actor: Actor, now: Date, input: BookingToPlan): Promise<BookingPlan> {
  if (input.end.getTime() <= input.start.getTime()) throw refusal('end', schedulingErrors.endBeforeStart())
  if (input.collectionStyle === 'prepaid_fixed') {
    if (input.recurrence) throw refusal('collectionStyle', schedulingErrors.seriesPrepaid())
    if (input.type === 'maintenance') throw refusal('collectionStyle', schedulingErrors.maintenancePrepaid())
  }
  const occurrences = occurrencesOf(input)
  const span = { start: occurrences[0]!.start, end: occurrences.at(-1)!.end }
  const facts = await loadBookingFacts(db, actor, now, input, span)
  const forbidden = forbidsBooking(facts)
  const { overrides: given = [], keptOverrides: kept = [] } = input
  if (!forbidden) await assertHasCurrencies(db, actor.organizationId, given)
  const overrides = await loadOverrides(db, actor.organizationId, given, kept)
  return {
    forbidden,
    judged: judgeOccurrences({ ...facts, overrides }, occurrences),
    resourceId: input.resourceId,
    resourceLocationId: facts.locationId,
    endsHoldsOf: heldAt(facts.resource, occurrences),
    endsOffers: offersOver(facts, occurrences),
  }
}

/**
 * Checks each booking of a series on the same facts. Limits and instructors' training include the earlier bookings of the
 * series.
 */
function judgeOccurrences(facts: BookingFacts, occurrences: readonly Occurrence[]): JudgedOccurrence[] {
  const checks = checksOf(facts)
  return occurrences.map((occurrence, at) => {
    const { start, end } = occurrence
    const before = occurrences.slice(0, at).map((one) => ({ ...one, reservationId: null, open: true }))
    const callerBookings = [...facts.callerBookings, ...before]
    const seats = facts.seats.map((seat) => ({ ...seat, training: [...seat.training, ...before] }))
    const booking = { ...facts.booking, start, end }
    return { occurrence, ...judge({ ...facts, callerBookings, seats, booking }, checks) }
  })
}

function occurrencesOf({ recurrence, start, end, zone }: BookingToPlan): Occurrence[] {
  if (!recurrence) return [{ index: 1, start, end }]
  const series = expandRecurrence(recurrence, { start, end }, zone)
  if (!series.problems) return series.occurrences
  throw invalidFields(series.problems.map(shapeProblem))
}

function refusal(field: string, problem: Pick<Finding, 'code' | 'message'>) {
  return invalidFields([shapeProblem({ ...problem, field })])
}
