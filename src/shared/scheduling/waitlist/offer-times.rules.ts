import { minuteOfDay } from '../../platform/kernel/zones.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** A clock change moves the wall clock by at most this many minutes. */
const MOST_SHIFT = 120
/** The fewest minutes that an offer lasts. */
export const LEAST_MINUTES = 10
/** The minutes after the quiet hours at which an offer expires that would expire in them. */
const AFTER_QUIET = 30
/** The most minutes for which offers hold one place, all together. */
export const MOST_HELD_MINUTES = 180

/** Minutes after local midnight; hours whose start is after their end run past midnight. */
export interface QuietHours {
  startMinute: number
  endMinute: number
}

export interface OfferTerms {
  now: Date
  /** The start of the place. */
  start: Date
  noticeMinutes: number
  offerMinutes: number
  quietHours: QuietHours | null
  /** The zone of the place's location. */
  zone: string
  /** The minutes for which earlier offers held the place. */
  heldMinutes: number
  /** Whether the offer holds its place at all. */
  mayHold: boolean
}

/** When an offer that is made now expires, and until when it holds its place. */
export interface OfferTimes {
  expiresAt: Date
  holdsUntil: Date
}

/** Returns whether the wall clock of a zone shows quiet hours at an instant. A skipped or doubled hour counts by what it shows. */
export function isQuiet(instant: Date, hours: QuietHours | null, zone: string): boolean {
  if (!hours || hours.startMinute === hours.endMinute) return false
  const minute = minuteOfDay(instant, zone)
  const { startMinute, endMinute } = hours
  if (startMinute < endMinute) return minute >= startMinute && minute < endMinute
  return minute >= startMinute || minute < endMinute
}

/** Returns the end of the quiet hours at an instant; the instant itself when it is in none. */
export function quietEnd(instant: Date, hours: QuietHours | null, zone: string): Date {
  if (!hours || !isQuiet(instant, hours, zone)) return instant
  const ahead = (hours.endMinute - minuteOfDay(instant, zone) + DAY_MINUTES) % DAY_MINUTES
  const first = Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS
  for (let minutes = Math.max(1, ahead - MOST_SHIFT); minutes <= ahead + MOST_SHIFT; minutes++) {
    const at = new Date(first + minutes * MINUTE_MS)
    if (!isQuiet(at, hours, zone)) return at
  }
  return new Date(first + ahead * MINUTE_MS)
}

/**
 * Returns when an offer that is made now expires and until when it holds its place; null when none is made now: in quiet hours,
 * or with less than ten minutes to live. It expires after `offerMinutes`, but not later than the notice before the start; an
 * expiry in quiet hours is moved to 30 minutes past their end. It never holds its place through quiet hours.
 */
export function offerTimes(terms: OfferTerms): OfferTimes | null {
  const { now, start, noticeMinutes, offerMinutes, quietHours, zone } = terms
  if (isQuiet(now, quietHours, zone)) return null
  const latest = start.getTime() - noticeMinutes * MINUTE_MS
  const planned = new Date(Math.min(now.getTime() + offerMinutes * MINUTE_MS, latest))
  const expiresAt = afterQuiet(planned, latest, { quietHours, zone })
  if (expiresAt.getTime() - now.getTime() < LEAST_MINUTES * MINUTE_MS) return null
  return { expiresAt, holdsUntil: heldUntil(terms, planned) }
}

/** Returns an expiry that would be in quiet hours as 30 minutes past their end, but not later than `latest`, in milliseconds. */
export function afterQuiet(
  planned: Date,
  latest: number,
  { quietHours, zone }: Pick<OfferTerms, 'quietHours' | 'zone'>,
): Date {
  if (!isQuiet(planned, quietHours, zone)) return planned
  const moved = quietEnd(planned, quietHours, zone).getTime() + AFTER_QUIET * MINUTE_MS
  return new Date(Math.min(moved, latest))
}

function heldUntil({ now, quietHours, zone, heldMinutes, mayHold }: OfferTerms, planned: Date): Date {
  if (!mayHold) return now
  const left = Math.max(0, MOST_HELD_MINUTES - heldMinutes)
  const until = Math.min(planned.getTime(), now.getTime() + left * MINUTE_MS)
  for (let at = now.getTime(); at < until; at += MINUTE_MS) {
    const minute = new Date(Math.ceil(at / MINUTE_MS) * MINUTE_MS)
    if (minute.getTime() < until && isQuiet(minute, quietHours, zone)) return minute
  }
  return new Date(until)
}
