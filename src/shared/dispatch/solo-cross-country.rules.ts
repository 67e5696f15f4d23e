import { localDate } from '../platform/kernel/zones.ts'
import type { ResourceFacts } from '../scheduling/rules/booking-facts.types.ts'
import { isFor } from '../scheduling/rules/qualifications.rules.ts'
import type { EndorsementFacts } from '../scheduling/rules/rating-papers.rules.ts'
import type { SoloFlight as SoloRoute } from '../scheduling/rules/solo-flight.rules.ts'

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

/** Returns whether a log has more than its solo flight said: cross-country time of a flight that was to be local. */
export function isBeyondSaid(
  said: SoloRoute | null,
  { solo, crossCountry }: { solo: number; crossCountry: number },
): boolean {
  return solo > 0 && crossCountry > 0 && said?.crossCountry == null && said?.airport == null
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
