import { Invalid, type Sentence } from '../../platform/kernel/errors.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { joined } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingPlan } from './plan-booking.ts'
import type { Problem } from './problems.ts'

/**
 * Refuses a booking or series that has problems; the problems of a series name its dates. Implements interface
 * §Reservations rules 2 and 6.
 * @throws Forbidden when the caller may not create it themselves.
 * @throws Invalid with the first problem's code and all of them in `details.problems`.
 */
export function assertBookable(
  { forbidden, failing, occurrences }: Omit<BookingPlan, 'resourceLocationId'>,
  zone: string,
): void {
  if (forbidden) throw forbidden()
  const first = failing[0]
  if (!first) return
  if (occurrences.length === 1) throw refusal(first.problems, first.problems)
  const dates = failing.map(({ occurrence }) => localDate(occurrence.start, zone))
  const all = failing.flatMap(({ occurrence, problems }) =>
    problems.map((problem) => ({ ...problem, index: occurrence.index, start: occurrence.start.toISOString() })),
  )
  throw refusal(first.problems, all, (reasons) =>
    schedulingErrors.seriesRefused({
      failing: failing.length,
      count: occurrences.length,
      dates: dates.join(', '),
      problems: reasons,
    }),
  )
}

function refusal(shown: Problem[], all: Problem[], say = (reasons: Sentence) => reasons): Invalid {
  const [first] = all
  const code = first && first.code !== 'INVALID' ? first.code : undefined
  return new Invalid(say(joined(shown)), code, { problems: all })
}
