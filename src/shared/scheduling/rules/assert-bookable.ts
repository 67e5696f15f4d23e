import { Invalid, type Sentence } from '../../platform/kernel/errors.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { joined } from '../../platform/platform.errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingPlan, JudgedOccurrence } from './plan-booking.ts'
import type { Judgement, Problem } from './problems.ts'

/** A warning about a booking. In a series, `start` is the start of the occurrence (ISO 8601). */
export interface BookingWarning extends Problem {
  start?: string
}

type Judged = Pick<BookingPlan, 'forbidden' | 'judged'>

interface Refusable extends Pick<BookingPlan, 'forbidden'> {
  judged: Pick<JudgedOccurrence, 'occurrence' | 'problems' | 'denied'>[]
}

/**
 * Checks that a booking or series has no problems. The error of a series names the dates. Implements interface §Reservations
 * rules 2 and 6.
 * @throws Forbidden when the caller may not create it themselves.
 * @throws Forbidden OVERRIDE_NOT_ALLOWED when an override is needed and the caller's roles may not give it.
 * @throws Invalid with the first problem's code and all of them in `details.problems`.
 */
export function assertBookable({ forbidden, judged }: Refusable, zone: string): void {
  if (forbidden) throw forbidden()
  assertIsAllowed(judged)
  const failing = judged.filter(({ problems }) => problems.length > 0)
  const [first] = failing
  if (!first) return
  if (judged.length === 1) throw refusal(first.problems, first.problems)
  const dates = failing.map(({ occurrence }) => localDate(occurrence.start, zone))
  const all = failing.flatMap(({ occurrence, problems }) =>
    problems.map((problem) => ({ ...problem, index: occurrence.index, start: occurrence.start.toISOString() })),
  )
  throw refusal(first.problems, all, (reasons) =>
    schedulingErrors.seriesRefused({
      failing: failing.length,
      count: judged.length,
      dates: dates.join(', '),
      problems: reasons,
    }),
  )
}

/** Checks that the caller's roles may give every override that is needed. Implements interface §Booking rules. */
export function assertIsAllowed(judged: readonly Pick<Judgement, 'denied'>[]): void {
  const [rule] = judged.flatMap(({ denied }) => denied)
  if (rule) throw schedulingErrors.overrideNotAllowed({ rule }, { rule })
}

/** Checks that no override lacks the paper that it needs. Implements interface §Booking rules (overrides). */
export function assertHasPapers(paperless: readonly Problem[]): void {
  if (paperless.length > 0) throw refusal([...paperless], [...paperless])
}

function refusal(shown: Problem[], all: Problem[], say = (reasons: Sentence) => reasons): Invalid {
  const [first] = all
  const code = first && first.code !== 'INVALID' ? first.code : undefined
  return new Invalid(say(joined(shown)), code, { problems: all })
}

/**
 * Returns the warnings of a booking or series; none for a caller who may not create it. Implements interface §Booking
 * rules.
 */
export function warningsOf({ forbidden, judged }: Judged, zone: string): BookingWarning[] {
  if (forbidden) return []
  return judged.length === 1 ? judged[0]!.warnings : judged.flatMap((one) => warningsOfOne(one, zone))
}

/** Returns the warnings of one booking of a series, the first of each rule, with the date in the message. */
function warningsOfOne({ occurrence, warnings }: JudgedOccurrence, zone: string): BookingWarning[] {
  const date = localDate(occurrence.start, zone)
  const firstOfRules = warnings.filter(({ rule }, at) => warnings.findIndex((other) => other.rule === rule) === at)
  return firstOfRules.map((warning) => ({
    ...warning,
    message: schedulingErrors.onDate({ date, message: warning.message }),
    start: occurrence.start.toISOString(),
  }))
}
