import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { forbidsBooking } from './booking.rules.ts'
import type { BookingToPlan } from './booking-input.ts'
import { checkOccurrences, type FailingOccurrence } from './check-occurrences.rules.ts'
import { loadBookingFacts } from './load-booking-facts.ts'
import { expandRecurrence, type Occurrence } from './recurrence.rules.ts'

/** What making a booking comes to: when it takes place, and everything that stands in the way. */
export interface BookingPlan {
  occurrences: Occurrence[]
  /** Why the caller may not make it themselves; null when they may. */
  forbidden: string | null
  failing: FailingOccurrence[]
  /** Where the resource stands; null without one. */
  resourceLocationId: number | null
}

/**
 * Judges a booking, or a series, by every rule. Nothing is written, so a check and the booking itself say the same.
 * @throws Invalid when it makes no sense before any rule is asked: an end before the start, a recurrence that makes no
 * series, a series or maintenance that would be prepaid, an id that is not the organization's.
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

function refusal(field: string, words: string): Invalid {
  const message = `${field}: ${words}`
  return new Invalid(message, undefined, { problems: [{ code: 'INVALID', field, message }] })
}
