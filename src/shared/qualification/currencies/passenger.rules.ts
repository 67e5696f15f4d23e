import { addDays } from '../../platform/kernel/zones.ts'
import { isSameClass } from '../ratings.rules.ts'
import type { AircraftScope, Evidence, PilotFlight, Recency } from './recency.types.ts'

/**
 * The required number of takeoffs and of landings, and the number of days before the flight in which they count: 14 CFR
 * 61.57(a)(1), (b)(1).
 */
const COUNT = 3
const DAYS = 90

/** The takeoffs of a flight, and its landings of the required kind. */
interface Counted {
  flight: PilotFlight
  takeoffs: number
  landings: number
}

/**
 * Returns the last day on which a pilot may carry passengers in an aircraft, from flights up to a local day. It is 90 days
 * after the third latest takeoff or the third latest landing, whichever is earlier. Flights count in the same category, class
 * and type (if one is required). By day, takeoffs and landings of day and night count; for a tailwheel airplane, only
 * landings to a full stop in a tailwheel airplane. By night, takeoffs and landings to a full stop count when they are between
 * one hour after sunset and one hour before sunrise. Implements 14 CFR 61.57(a) and (b).
 */
export function passengerRecency(
  period: 'day' | 'night',
  scope: AircraftScope,
  flights: readonly PilotFlight[],
  today: string,
): Recency {
  const counted = flights
    .filter(({ aircraft, device, day }) => !device && day <= today && serves(aircraft, scope, period))
    .map((flight) => ({ flight, ...countOf(flight, scope, period) }))
    .filter(({ takeoffs, landings }) => takeoffs + landings > 0)
    .sort((a, b) => b.flight.at.getTime() - a.flight.at.getTime())
  const deciding = [nthLatest(counted, 'takeoffs'), nthLatest(counted, 'landings')]
  const oldest = deciding.includes(null) ? null : (deciding as string[]).reduce((a, b) => (a < b ? a : b))
  const validUntil = oldest && addDays(oldest, DAYS)
  const good = validUntil !== null && validUntil >= today
  const missing = missingOn(counted, good ? addDays(validUntil, 1) : today)
  const action = period === 'day' ? 'landings' : 'night_landings'
  return {
    validUntil,
    evidence: evidenceOf(counted),
    needs: [{ action, count: missing, by: good ? validUntil : null }],
  }
}

function serves(flown: PilotFlight['aircraft'], wanted: AircraftScope, period: 'day' | 'night'): boolean {
  const same = isSameClass(flown, wanted) && (wanted.type === null || flown.type === wanted.type)
  return same && (period === 'night' || !wanted.tailwheel || flown.tailwheel)
}

function countOf(flight: PilotFlight, { tailwheel }: AircraftScope, period: 'day' | 'night') {
  if (period === 'night') return { takeoffs: flight.nightTakeoffs, landings: flight.nightFullStops }
  const takeoffs = flight.dayTakeoffs + flight.nightTakeoffs
  if (tailwheel) return { takeoffs, landings: flight.dayFullStops + flight.nightFullStops }
  return { takeoffs, landings: flight.dayLandings + flight.nightLandings }
}

/** Returns the day of the third-latest takeoff or landing; null when there are fewer. `counted` is the latest first. */
function nthLatest(counted: readonly Counted[], what: 'takeoffs' | 'landings'): string | null {
  let sum = 0
  for (const one of counted) {
    sum += one[what]
    if (sum >= COUNT) return one.flight.day
  }
  return null
}

/** Returns how many takeoffs or landings are missing on a day, whichever number is higher. */
function missingOn(counted: readonly Counted[], day: string): number {
  const within = counted.filter(({ flight }) => flight.day >= addDays(day, -DAYS))
  const sum = (what: 'takeoffs' | 'landings') => within.reduce((total, one) => total + one[what], 0)
  return Math.max(COUNT - Math.min(sum('takeoffs'), sum('landings')), 0)
}

/** Returns the flights that count, latest first. `counted` is the number of landings that each contributes. */
function evidenceOf(counted: readonly Counted[]): Evidence[] {
  let left = { takeoffs: COUNT, landings: COUNT }
  return counted.flatMap(({ flight, takeoffs, landings }) => {
    const used = { takeoffs: Math.min(takeoffs, left.takeoffs), landings: Math.min(landings, left.landings) }
    if (used.takeoffs + used.landings === 0) return []
    left = { takeoffs: left.takeoffs - used.takeoffs, landings: left.landings - used.landings }
    return [{ kind: 'flight' as const, id: flight.id, at: flight.at, counted: used.landings }]
  })
}
