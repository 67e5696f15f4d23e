import { checkBooking } from './booking.rules.ts'
import type { BookingFacts } from './booking-facts.ts'
import type { Problem } from './problems.ts'
import type { Occurrence } from './recurrence.rules.ts'

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
