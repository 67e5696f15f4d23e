import type { Interval } from '../../platform/kernel/instants.ts'
import { addDays, localDates, wallToInstant } from '../../platform/kernel/zones.ts'

/** The hours of a flying day: minutes after local midnight. A day that ends before it starts runs past midnight. */
export interface FlyingDay {
  flyingDayStartMinute: number | null
  flyingDayEndMinute: number | null
}

const MINUTE_MS = 60_000

/**
 * Returns how many minutes of a window a resource can be booked: those of its flying day, or without one of the
 * organization's flying day, on each local day of the resource's zone. Without either, all minutes count.
 * Implements interface §Resources (flying-day hours).
 */
export function availableMinutes(window: Interval, resource: FlyingDay, organization: FlyingDay, zone: string): number {
  const hours = flyingDay(resource) ?? flyingDay(organization)
  if (!hours) return minutes(window.end.getTime() - window.start.getTime())
  const [opens, closes] = hours
  const dates = localDates(window.start, window.end, zone)
  // A flying day that runs past midnight can begin on the day before the window.
  const days = opens < closes ? dates : [addDays(dates[0]!, -1), ...dates]
  let available = 0
  for (const date of days) {
    const from = wallToInstant(date, opens, zone).getTime()
    const until = wallToInstant(opens < closes ? date : addDays(date, 1), closes, zone).getTime()
    available += Math.max(0, Math.min(until, window.end.getTime()) - Math.max(from, window.start.getTime()))
  }
  return minutes(available)
}

function flyingDay({ flyingDayStartMinute: start, flyingDayEndMinute: end }: FlyingDay): [number, number] | null {
  return start === null || end === null ? null : [start, end]
}

function minutes(milliseconds: number): number {
  return Math.floor(milliseconds / MINUTE_MS)
}
