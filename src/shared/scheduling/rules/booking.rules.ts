import {
  booksForThemselves,
  longestDays,
  mayCreate,
  mayRecordPast,
  needsApproval,
} from '../../fleet/resources/reservation-types.rules.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { checkPeople } from './availability.rules.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import { orderHiddenLast } from './disclosure.rules.ts'
import { checkApprovals, checkCurrencies, checkGrounding } from './fitness.rules.ts'
import type { Problem } from './problems.ts'
import type { Occurrence } from './recurrence.rules.ts'
import { checkHours, checkResource } from './resource.rules.ts'
import { checkSeats } from './seats.rules.ts'

const rules: readonly ((facts: BookingFacts) => Problem[])[] = [
  checkType,
  checkTimes,
  checkSeats,
  checkResource,
  checkPeople,
  checkGrounding,
  checkHours,
  checkApprovals,
  checkCurrencies,
]

/**
 * Runs every booking rule over loaded facts and returns all problems in the order above, those hidden from the caller
 * last; an empty list means that the booking is accepted. Creating, moving, checking, approving and finding openings
 * all use this one function. `forbidsBooking` decides whether the caller may book at all. Implements interface
 * §Reservations rules 2, 3, 4 and 6.
 */
export function checkBooking(facts: BookingFacts): Problem[] {
  return orderHiddenLast(rules.flatMap((check) => check(facts)))
}

/**
 * Returns why the caller may not create this booking themselves (403), or null. Students and renters must sit on their
 * bookings, and send a booking request where the organization requires approval. Implements interface §Reservations and
 * §Booking requests.
 */
export function forbidsBooking({ actor, booking, seats, settings }: BookingFacts): PlainError<403> | null {
  if (!booksForThemselves(actor.roles, booking.type)) return null
  if (!seats.some((seat) => seat.orgUserId === actor.orgUserId)) return schedulingErrors.ownBookingsOnly
  return needsApproval(actor.roles, booking.type, settings.approvalRequired) ? schedulingErrors.approvalRequired : null
}

function checkType({ actor, booking: { type } }: BookingFacts): Problem[] {
  if (mayCreate(actor.roles, type)) return []
  return [{ ...schedulingErrors.typeNotAllowed({ type }), field: 'type' }]
}

const DAY_MS = 86_400_000

/**
 * A booking ends after it starts and lasts no longer than its type allows; students and renters book nothing that has
 * begun, others may record a past flight.
 */
function checkTimes({ actor, booking, now }: BookingFacts): Problem[] {
  const problems: Problem[] = []
  if (booking.end.getTime() <= booking.start.getTime()) {
    problems.push({ ...schedulingErrors.endBeforeStart(), field: 'end' })
  }
  const most = longestDays(booking.type)
  if (booking.end.getTime() - booking.start.getTime() > most * DAY_MS) {
    problems.push({ ...schedulingErrors.lastsTooLong({ type: booking.type, days: most }), field: 'end' })
  }
  if (booking.start.getTime() < now.getTime() && !mayRecordPast(actor.roles, booking.type)) {
    problems.push({ ...schedulingErrors.beginsInPast(), field: 'start' })
  }
  return problems
}

/** A booking of a series, or the only one, with its problems. */
export interface FailingOccurrence {
  occurrence: Occurrence
  problems: Problem[]
}

/** Checks each booking of a series against the same facts. Returns those that have problems. */
export function checkOccurrences(facts: BookingFacts, occurrences: readonly Occurrence[]): FailingOccurrence[] {
  return occurrences.flatMap((occurrence) => {
    const { start, end } = occurrence
    const problems = checkBooking({ ...facts, booking: { ...facts.booking, start, end } })
    return problems.length > 0 ? [{ occurrence, problems }] : []
  })
}
