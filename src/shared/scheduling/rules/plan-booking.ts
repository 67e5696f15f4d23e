import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { invalidFields } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { checkOccurrences, type FailingOccurrence, forbidsBooking } from './booking.rules.ts'
import type { BookingToPlan } from './booking-input.types.ts'
import { loadBookingFacts } from './load-booking-facts.ts'
import type { Problem } from './problems.ts'
import { expandRecurrence, type Occurrence } from './recurrence.rules.ts'

/** The outcome of a booking before it is written: its occurrences and all problems. */
export interface BookingPlan {
  occurrences: Occurrence[]
  /** Why the caller may not create it themselves; null when they may. */
  forbidden: PlainError<403> | null
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
  if (input.end.getTime() <= input.start.getTime()) throw refusal('end', schedulingErrors.endBeforeStart())
  if (input.collectionStyle === 'prepaid_fixed') {
    if (input.recurrence) throw refusal('collectionStyle', schedulingErrors.seriesPrepaid())
    if (input.type === 'maintenance') throw refusal('collectionStyle', schedulingErrors.maintenancePrepaid())
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
  throw invalidFields(series.problems)
}

function refusal(field: string, problem: Pick<Problem, 'code' | 'message'>) {
  return invalidFields([{ ...problem, field }])
}
