import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { askedByAircraft, type CurrencyKind } from './currency.rules.ts'
import type { AircraftScope, PilotFacts, PilotFlight } from './recency.types.ts'

/** The aircraft that is assumed for a currency when none is named. */
export const noScope: AircraftScope = { category: 'airplane', class: null, type: null, tailwheel: false }

/** A kind of aircraft that the pilot flew in this many past days gets a currency state of its own. */
const FLOWN_DAYS = 365

/**
 * Returns the kinds of aircraft for which a member's state is listed: those flown in the last 365 days, or only their
 * categories for `instrument`. Returns one null when there are none, and for currencies that do not depend on the aircraft.
 * Implements interface §Currencies.
 */
export function scopesOf(
  kind: CurrencyKind,
  pilot: PilotFacts | null,
  now: Date,
  zone: string,
): (AircraftScope | null)[] {
  if (!askedByAircraft(kind)) return [null]
  const since = addDays(localDate(now, zone), -FLOWN_DAYS)
  const flown = (pilot?.flights ?? [])
    .filter(({ at, day, device }) => !device && at < now && day >= since)
    .flatMap(({ aircraft }) => scopeOf(aircraft, kind))
  const byKey = new Map(flown.map((scope) => [scopeKey(scope), scope]))
  const keys = [...byKey.keys()].sort()
  return keys.length === 0 ? [null] : keys.map((key) => byKey.get(key)!)
}

function scopeOf({ category, ...aircraft }: PilotFlight['aircraft'], kind: CurrencyKind): AircraftScope[] {
  if (category === null) return []
  return kind === 'instrument' ? [{ ...noScope, category }] : [{ category, ...aircraft }]
}

/** Returns the key of a scope: its category, class, type, tailwheel and model; empty for null. */
export function scopeKey(scope: AircraftScope | null): string {
  if (!scope) return ''
  const { category, class: of, type, tailwheel, model = null } = scope
  return [category, of, type, tailwheel ? 'tailwheel' : null, model].filter((part) => part !== null).join(' ')
}
