/** What a weather station is called: an airport's identifier that begins with a letter. */
export const stationPattern = /^[A-Z][A-Z0-9]{2,3}$/

/** Returns the weather station of an airport; null when it has no identifier, or one that no station has. */
export function stationOf(airportIdentifier: string | null): string | null {
  return airportIdentifier !== null && stationPattern.test(airportIdentifier) ? airportIdentifier : null
}
