import { isSameClass } from '../ratings.rules.ts'
import { countedSince, lapseAfter } from './currency.rules.ts'
import type { AircraftScope, Evidence, Need } from './recency.types.ts'

/** In what the hours must be flown: the make and model of the aircraft, its category and class, or any aircraft. */
export const hoursScopes = ['make_model', 'class', 'any'] as const
export type HoursScope = (typeof hoursScopes)[number]

/** So many tenths of an hour in the last days; `days` null: ever. */
export interface HoursRequirement {
  kind: 'hours_in_model'
  deciHours: number
  days: number | null
  scope: HoursScope
}

/** An aircraft with hours in it. `model` is what its make and model is called; `modelKeys` are the keys of all its names. */
export interface FlownAircraft extends AircraftScope {
  model: string | null
  modelKeys: readonly string[]
}

/** The time of a flight, or of all flights in an aircraft up to `flownAt`, in tenths of an hour. */
export interface FlownHours {
  id: number
  flownAt: Date
  tenths: number
  aircraft: FlownAircraft
}

/**
 * Returns the state of a currency of hours in an aircraft. It ends when so many of the latest hours are older than `days`;
 * with fewer hours it ended at the latest flight. Without `days` it has no end, and with fewer hours it was never met. `flown` is before
 * the instant that is asked about.
 */
export function hoursState(
  { deciHours, days, scope }: HoursRequirement,
  flown: readonly FlownHours[],
  aircraft: AircraftScope | null,
  { now, zone }: { now: Date; zone: string },
) {
  const counted = flown
    .filter((one) => countsFor(scope, one.aircraft, aircraft))
    .sort((a, b) => b.flownAt.getTime() - a.flownAt.getTime())
  let sum = 0
  const last = counted.findIndex(({ tenths }) => {
    sum += tenths
    return sum >= deciHours
  })
  const decisive = counted[last]
  const needed = decisive ? counted.slice(0, last + 1) : counted
  const latest = counted[0]?.flownAt ?? null
  const end = decisive && days !== null ? lapseAfter(decisive.flownAt, days, zone) : null
  const evidence: Evidence[] = needed.map(({ id, flownAt, tenths }) => ({
    kind: 'flight',
    id,
    at: flownAt,
    counted: tenths,
  }))
  const since = days === null ? null : countedSince(end, days, { now, zone })
  const within = counted.filter(({ flownAt }) => since === null || flownAt >= since)
  const missing = deciHours - within.reduce((tenths, one) => tenths + one.tenths, 0)
  const needs: Need[] = [{ action: 'hours', count: Math.max(missing, 1), by: null }]
  if (!decisive && days === null) return { completedAt: null, expiresAt: null, evidence, needs }
  return { completedAt: latest, expiresAt: decisive ? end : latest, evidence, needs }
}

/** Returns whether hours in an aircraft count for a booking with another. */
export function countsFor(scope: HoursScope, flown: FlownAircraft, aircraft: AircraftScope | null): boolean {
  if (scope === 'any') return true
  if (!aircraft) return false
  if (scope === 'class') return isSameClass(flown, aircraft)
  return flown.modelKeys.some((key) => aircraft.modelKeys?.includes(key))
}

/** Returns the aircraft of which a member's standing has a row: one per model or class flown, by name; one null where there is none. */
export function scopesOfHours(scope: HoursScope, flown: readonly FlownHours[]): (AircraftScope | null)[] {
  if (scope === 'any' || flown.length === 0) return [null]
  const found: FlownAircraft[] = []
  const byName = flown.map((one) => one.aircraft).sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))
  for (const aircraft of byName) {
    const isNamed = scope === 'class' || aircraft.modelKeys.length > 0
    if (isNamed && !found.some((one) => countsFor(scope, one, aircraft))) found.push(aircraft)
  }
  if (found.length === 0) return [null]
  return scope === 'class'
    ? found.map(({ category, class: of }) => ({ category, class: of, type: null, tailwheel: false }))
    : found
}

function nameOf({ category, class: of, model }: FlownAircraft): string {
  return [model, category, of].join(' ')
}
