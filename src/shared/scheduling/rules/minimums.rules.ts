import type { Conditions, Visibility } from '../../platform/adapters/weather/weather.port.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { PilotMinimums } from '../../qualification/minimums/minimums.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { ceilingOf } from '../weather/weather.rules.ts'
import { conditionsDuring } from '../weather/weather-during.rules.ts'
import type { BookingFacts, SeatFacts } from './booking-facts.types.ts'
import { isSupervised, membersOn, pilotInCommand } from './pilot.rules.ts'
import type { Finding } from './problems.ts'

/** The time before the start of a flight from which its weather is checked, in milliseconds. */
export const JUDGED_AHEAD_MS = 2 * 3_600_000

/**
 * Returns whether the weather of a flight is checked: it starts within two hours and is not over. Implements interface
 * §Booking rules.
 */
export function isAboutToStart({ start, end }: Interval, now: Date): boolean {
  return start.getTime() - now.getTime() <= JUDGED_AHEAD_MS && end > now
}

/**
 * Checks that the weather of a flight that starts within two hours is within the limits of the person who flies: the student
 * of a dual lesson; otherwise the person who would be pilot in command without the instructor. A limit that the reports do
 * not decide gives a warning. Implements interface §Booking rules.
 */
export function checkMinimums(facts: BookingFacts): Finding[] {
  const { now, booking, resource, seats, weather } = facts
  if (resource?.kind !== 'plane' || !isAboutToStart(booking, now)) return []
  const reports = weather.get(booking.locationId ?? resource.locationId)
  const conditions = reports ? conditionsDuring(reports, booking) : []
  return membersOn(whoFlies(facts)).flatMap(({ seat: { name }, member: { minimums }, about }): Finding[] => {
    if (!minimums || Object.values(minimums).every((limit) => limit === null)) return []
    if (!reports || conditions.length === 0) {
      return [{ ...about, ...schedulingErrors.noReportFor({ name }), warnsOnly: true }]
    }
    const { station } = reports
    const broken = distinct(conditions.flatMap((one) => limitsBroken(minimums, one)))
    if (broken.length > 0) {
      const fix = { action: 'book_with_instructor', text: schedulingErrors.fixInstructor() } as const
      const found = schedulingErrors.belowMinimums({ name, station, reasons: broken.join(', ') })
      return [{ ...about, ...found, ...(!isSupervised(seats) && { fix }) }]
    }
    const unsure = distinct(conditions.flatMap((one) => limitsUnsure(minimums, one)))
    if (unsure.length === 0) return []
    const found = schedulingErrors.minimumsUnsure({ name, station, reasons: unsure.join(', ') })
    return [{ ...about, ...found, warnsOnly: true }]
  })
}

function whoFlies({ booking, seats }: BookingFacts): SeatFacts[] {
  if (booking.type === 'dual') return seats.filter(({ side }) => side === 'students')
  const pilot = pilotInCommand({ booking, seats: seats.filter(({ side }) => side !== 'instructors') })
  return pilot ? [pilot] : []
}

/** Returns the messages of the limits that conditions exceed. */
function limitsBroken(minimums: PilotMinimums, conditions: Conditions): Sentence[] {
  const { ceilingFeet, visibilityMiles, windKnots, gustKnots } = minimums
  const { wind, visibility } = conditions
  const ceiling = ceilingOf(conditions)
  const found: Sentence[] = []
  if (ceilingFeet !== null && typeof ceiling === 'number' && ceiling < ceilingFeet) {
    found.push(schedulingErrors.ceilingBelow({ feet: ceiling, limit: ceilingFeet }))
  }
  if (visibilityMiles !== null && visibility && isBelow(visibility, visibilityMiles)) {
    found.push(schedulingErrors.visibilityBelow({ miles: visibility.statuteMiles, limit: visibilityMiles }))
  }
  if (windKnots !== null && wind && wind.knots > windKnots) {
    found.push(schedulingErrors.windAbove({ knots: wind.knots, limit: windKnots }))
  }
  if (gustKnots !== null && (wind?.gustKnots ?? 0) > gustKnots) {
    found.push(schedulingErrors.gustsAbove({ knots: wind?.gustKnots ?? 0, limit: gustKnots }))
  }
  return found
}

/**
 * Returns the messages of the limits that conditions do not decide: elements that are not reported, and a wind stronger than
 * the crosswind limit, because the crosswind depends on the runway.
 */
function limitsUnsure(minimums: PilotMinimums, conditions: Conditions): Sentence[] {
  const { ceilingFeet, visibilityMiles, windKnots, gustKnots, crosswindKnots } = minimums
  const { wind, visibility } = conditions
  const found: Sentence[] = []
  if (ceilingFeet !== null && ceilingOf(conditions) === 'unknown') {
    found.push(schedulingErrors.notReported({ element: 'ceiling' }))
  }
  if (visibilityMiles !== null && !visibility) found.push(schedulingErrors.notReported({ element: 'visibility' }))
  if (!wind && (windKnots ?? gustKnots ?? crosswindKnots) !== null) {
    found.push(schedulingErrors.notReported({ element: 'wind' }))
  }
  const strongest = Math.max(wind?.knots ?? 0, wind?.gustKnots ?? 0)
  if (crosswindKnots !== null && strongest > crosswindKnots) {
    found.push(schedulingErrors.crosswindMaybe({ knots: strongest, limit: crosswindKnots }))
  }
  return found
}

/**
 * Returns whether a visibility is below a limit. A visibility of “less than” a figure is below this figure. “More than 6
 * miles” is never below, because it is the best that a forecast reports.
 */
function isBelow({ statuteMiles, bound }: Visibility, limit: number): boolean {
  if (bound === 'more') return false
  return statuteMiles < limit || (bound === 'less' && statuteMiles <= limit)
}

function distinct(words: readonly Sentence[]): Sentence[] {
  return [...new Set(words)]
}
