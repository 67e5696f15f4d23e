import type { Conditions, Visibility } from '../../platform/adapters/weather/weather.port.ts'

/** The flight categories, from the worst to the best. */
export const flightCategories = ['LIFR', 'IFR', 'MVFR', 'VFR'] as const
export type FlightCategory = (typeof flightCategories)[number]

/**
 * Returns the height in feet of the lowest layer that covers more than half of the sky, or the vertical visibility into an
 * obscured sky. Null: no ceiling. `unknown`: a ceiling of unknown height, or a report without the sky. Implements 14 CFR 1.1,
 * “ceiling”.
 */
export function ceilingOf({ clouds, skyKnown, verticalVisibility }: Conditions): number | 'unknown' | null {
  if (!skyKnown) return 'unknown'
  const layers = clouds.filter(({ cover }) => cover === 'BKN' || cover === 'OVC').map(({ baseFeet }) => baseFeet)
  const heights = layers.filter((height) => height !== null)
  if (typeof verticalVisibility === 'number') heights.push(verticalVisibility)
  const unmeasured = verticalVisibility === 'unknown' || layers.includes(null)
  if (heights.length === 0) return unmeasured ? 'unknown' : null
  const lowest = Math.min(...heights)
  return unmeasured && byCeiling(lowest) !== 'LIFR' ? 'unknown' : lowest
}

/**
 * Returns the flight category of conditions: the worse of the categories of ceiling and visibility. LIFR: below 500 feet or 1
 * statute mile; IFR: below 1000 feet or 3 miles; MVFR: up to 3000 feet or 5 miles; VFR: above. Null when one of the two is
 * not reported and could make the category worse. Implements interface §Weather, with the bounds of the Aviation Weather
 * Center.
 */
export function flightCategory(conditions: Conditions): FlightCategory | null {
  const ceiling = ceilingOf(conditions)
  const known = [
    ceiling === 'unknown' ? null : byCeiling(ceiling),
    conditions.visibility ? byVisibility(conditions.visibility) : null,
  ]
  const worst = flightCategories.find((category) => known.includes(category)) ?? null
  return worst === 'LIFR' || !known.includes(null) ? worst : null
}

function byCeiling(feet: number | null): FlightCategory {
  if (feet === null || feet > 3_000) return 'VFR'
  if (feet < 500) return 'LIFR'
  return feet < 1_000 ? 'IFR' : 'MVFR'
}

/**
 * Returns the category of a visibility. A visibility of “less than” a bound is below the bound; “more than” 5 miles is VFR.
 */
function byVisibility({ statuteMiles: miles, bound }: Visibility): FlightCategory {
  const below = (limit: number) => miles < limit || (bound === 'less' && miles <= limit)
  if (below(1)) return 'LIFR'
  if (below(3)) return 'IFR'
  return miles > 5 || (bound === 'more' && miles >= 5) ? 'VFR' : 'MVFR'
}

/** The identifiers of weather stations: airport identifiers that begin with a letter. */
export const stationPattern = /^[A-Z][A-Z0-9]{2,3}$/

/**
 * Returns the weather station of an airport; null when the airport has no identifier, or one that cannot be a station's.
 * Implements interface §Weather.
 */
export function stationOf(airportIdentifier: string | null): string | null {
  return airportIdentifier !== null && stationPattern.test(airportIdentifier) ? airportIdentifier : null
}
