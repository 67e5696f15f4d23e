import type { Interval } from './instants.ts'
import { addDays, localDate, monthEndAfter, monthStartBefore, wallToInstant } from './zones.ts'

/** A limit of a window in a request: an instant, or a day "YYYY-MM-DD" of the organization's zone. */
export type WindowLimit = Date | string

/** The window of a request. An absent limit is open. */
export interface WindowInput {
  startDate?: WindowLimit | undefined
  endDate?: WindowLimit | undefined
}

/** Returns the instant of a limit before which or from which something lies. A day means its first instant. */
export function firstInstant(limit: WindowLimit, zone: string): Date {
  return typeof limit === 'string' ? wallToInstant(limit, 0, zone) : limit
}

/** Returns the instant at which a window ends. A day is included as a whole, an instant is not. */
export function windowEnd(limit: WindowLimit, zone: string): Date {
  return typeof limit === 'string' ? wallToInstant(limit, 1440, zone) : limit
}

/** Returns the given limits of a window as instants; an absent limit is left out. */
export function givenLimits({ startDate, endDate }: WindowInput, zone: string): Partial<Interval> {
  return {
    ...(startDate !== undefined && { start: firstInstant(startDate, zone) }),
    ...(endDate !== undefined && { end: windowEnd(endDate, zone) }),
  }
}

/** Returns the local month of an instant, from its first instant to the first one after it. */
export function monthOf(instant: Date, zone: string): Interval {
  const day = localDate(instant, zone)
  const next = addDays(monthEndAfter(day, 0), 1)
  return { start: firstInstant(monthStartBefore(day, 0), zone), end: firstInstant(next, zone) }
}
