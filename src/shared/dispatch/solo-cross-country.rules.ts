import { localDate } from '../platform/kernel/zones.ts'
import type { ResourceFacts } from '../scheduling/rules/booking-facts.types.ts'
import { isFor } from '../scheduling/rules/qualifications.rules.ts'
import type { EndorsementFacts } from '../scheduling/rules/rating-papers.rules.ts'
import type { SoloFlight as SoloRoute } from '../scheduling/rules/solo-flight.rules.ts'
import type { LogFigures } from './flight-log.types.ts'

/** The codes of the endorsements for solo flights that land elsewhere, the same in both editions of AC 61-65. */
export const crossCountryCodes = ['A.8', 'A.9', 'A.10', 'A.11'] as const

/** An endorsement that was signed before the flight. */
export interface RouteEndorsement extends EndorsementFacts {
  /** The local day that an endorsement for a single flight names, YYYY-MM-DD; null when it names none. */
  flightOn: string | null
}

export interface SoloFlight {
  out: Date
  zone: string
  aircraft: Pick<ResourceFacts, 'modelKeys'>
}

type LoggedRoute = Pick<LogFigures, 'solo' | 'crossCountry' | 'approaches' | 'route'>

/**
 * Returns whether a log has more than its solo flight said: cross-country time of a flight that was to be local, or an airport that is
 * neither `home` nor the one that was said. A flight that said `repeated50` or `beyond`, or no airport within 25 NM, may land anywhere.
 */
export function isBeyondSaid(said: SoloRoute | null, home: string | null, log: LoggedRoute): boolean {
  if (log.solo === 0) return false
  const { airport = null, crossCountry = null } = said ?? {}
  if (log.crossCountry > 0 && crossCountry === null && airport === null) return true
  if (crossCountry !== null && (crossCountry !== 'within25' || airport === null)) return false
  const logged = airportsOf(log, home)
  const known = [home ?? logged[0] ?? '', airport ?? ''].map(keyOf)
  return logged.some((one) => !known.includes(keyOf(one)))
}

/** Returns the airports of a log: in its route the ICAO codes of the region of `home`, then those of its approaches. */
function airportsOf({ route, approaches }: LoggedRoute, home: string | null): string[] {
  const region = home?.length === 4 ? home.charAt(0) : ''
  const codes = (route ?? '').match(/\b[A-Z][A-Z0-9]{3}\b/g) ?? []
  const named = approaches.flatMap(({ airport }) => airport ?? [])
  return [...codes.filter((code) => code.startsWith(region)), ...named]
}

/** Returns the code of an airport without the K before the three letters of the FAA, so that KLVK and LVK are the same. */
function keyOf(airport: string): string {
  return airport
    .trim()
    .toUpperCase()
    .replace(/^K(?=[A-Z]{3}$)/, '')
}

/**
 * Returns the endorsements that a student lacked for a solo flight with a landing elsewhere when it left; null when none was missing. A
 * log has no distance, so any one of these sets is enough: A.8 within 25 NM, A.9 and A.11 for repeated flights up to 50 NM, A.9 and A.10
 * for any distance. A.9 and A.10 are valid for a make and model, and A.10 only on its day; A.8 and A.11 are valid for airports.
 * Implements 14 CFR 61.93(b) and (c).
 */
export function missingForRoute({ out, zone, aircraft }: SoloFlight, held: readonly RouteEndorsement[]): string | null {
  const today = localDate(out, zone)
  const holds = (code: (typeof crossCountryCodes)[number], of: SoloFlight['aircraft'] | null) =>
    held.some((one) => one.code === code && isFor(one, out, of) && (one.flightOn ?? today) === today)
  if (holds('A.8', null)) return null
  if (!holds('A.9', aircraft)) return 'A.8, or A.9 with A.10 or A.11'
  return holds('A.10', aircraft) || holds('A.11', null) ? null : 'A.10 or A.11'
}
