import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { checkOccurrences, type FailingOccurrence, forbidsBooking } from './booking.rules.ts'
import type { BookingToPlan } from './booking-input.types.ts'
import { loadBookingFacts } from './load-booking-facts.ts'
import { expandRecurrence, type Occurrence } from './recurrence.rules.ts'

/** The outcome of a booking before it is written: its occurrences and all problems. */
export interface BookingPlan {
  occurrences: Occurrence[]
  /** Why the caller may not create it themselves; null when they may. */
  forbidden: string | null
  failing: FailingOccurrence[]
  /** The location of the resource; null without one. */
  resourceLocationId: number | null
}

/**
 * Checks a booking or series by every rule. It writes nothing, so that a check and the booking itself give one answer.
 * Implements interface §Reservations rule 7 (no prepaid series or maintenance).
 * @throws Invalid when it cannot be checked: an end before the start, a recurrence without a series, a prepaid series
 * or maintenance, an id that is not the organization's.
 */
export async function planBooking(db: Db, actor: Actor, now: Date, input: BookingToPlan): Promise<BookingPlan> {
  if (input.end.getTime() <= input.start.getTime()) throw refusal('end', 'must be after start')
  if (input.collectionStyle === 'prepaid_fixed') {
    if (input.recurrence) throw refusal('collectionStyle', 'a recurring series cannot be prepaid')
    if (input.type === 'maintenance') throw refusal('collectionStyle', 'maintenance cannot be prepaid')
  }
  const occurrences = occurrencesOf(input)
  const span = { start: occurrences[0]!.start, end: occurrences.at(-1)!.end }
  const facts = await loadBookingFacts(db, actor, now, input, span)
  return {
    occurrences,
    forbidden: forbidsBooking(facts),
    failing: checkOccurrences(facts, occurrences),
    resourceLocationId: facts.locationId,
  }
}

function occurrencesOf({ recurrence, start, end, zone }: BookingToPlan): Occurrence[] {
  if (!recurrence) return [{ index: 1, start, end }]
  const series = expandRecurrence(recurrence, { start, end }, zone)
  if (!series.problems) return series.occurrences
  throw new Invalid(series.problems.map((problem) => problem.message).join('; '), undefined, {
    problems: series.problems,
  })
}

function refusal(field: string, reason: string): Invalid {
  const message = `${field}: ${reason}`
  return new Invalid(message, undefined, { problems: [{ code: 'INVALID', field, message }] })
}
