import { countedSince, lapseAfter } from './currency.rules.ts'
import type { Need } from './recency.types.ts'

/** So many signed flights in the last days. */
export interface RecentFlightsRequirement {
  kind: 'recent_flights'
  count: number
  days: number
}

/** Returns the state by recent flights, the latest first. With fewer than `count`, it ended at the latest of them. */
export function recentFlights(
  { count, days }: RecentFlightsRequirement,
  flights: readonly { id: number; flownAt: Date }[],
  { now, zone }: { now: Date; zone: string },
) {
  const counted = flights.slice(0, count)
  const evidence = counted.map(({ id, flownAt }) => ({ kind: 'flight' as const, id, at: flownAt, counted: 1 }))
  const completedAt = counted[0]?.flownAt ?? null
  const decisive = counted[count - 1]
  const expiresAt = decisive ? lapseAfter(decisive.flownAt, days, zone) : completedAt
  const since = countedSince(expiresAt, days, { now, zone })
  const within = counted.filter(({ flownAt }) => flownAt >= since)
  const needs: Need[] = [{ action: 'flights', count: Math.max(count - within.length, 1), by: null }]
  return { completedAt, expiresAt, evidence, needs }
}
