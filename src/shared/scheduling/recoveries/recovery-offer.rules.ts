import {
  afterQuiet,
  LEAST_MINUTES,
  MOST_HELD_MINUTES,
  type OfferTimes,
  type QuietHours,
  quietEnd,
} from '../waitlist/offer-times.rules.ts'

const MINUTE_MS = 60_000
/** An offer expires at the latest this long before the earlier of the old and the new start. */
const BEFORE_START_MS = 60 * MINUTE_MS

/** What the times of an offer of a recovery follow from; `starts`: the old and the new start. */
export interface RecoveryOfferTerms {
  now: Date
  starts: readonly Date[]
  offerMinutes: number
  quietHours: QuietHours | null
  zone: string
  /** The minutes for which earlier offers held the new place. */
  heldMinutes: number
}

/**
 * Returns when an offer of a recovery expires and until when it holds its place; null with less than ten minutes to live. A person asked
 * whatever the hour: of an offer that is made in quiet hours, the time and its hold run from their end, when it is told; offers hold a place for three hours in all. An
 * expiry in quiet hours is moved past them, the hold is not. Implements interface §Recovery.
 */
export function recoveryOfferTimes({
  now,
  starts,
  offerMinutes,
  quietHours,
  zone,
  heldMinutes,
}: RecoveryOfferTerms): OfferTimes | null {
  const from = quietEnd(now, quietHours, zone)
  const latest = Math.min(...starts.map((start) => start.getTime())) - BEFORE_START_MS
  const planned = new Date(Math.min(from.getTime() + offerMinutes * MINUTE_MS, latest))
  const expiresAt = afterQuiet(planned, latest, { quietHours, zone })
  if (expiresAt.getTime() - from.getTime() < LEAST_MINUTES * MINUTE_MS) return null
  const held = Math.max(0, MOST_HELD_MINUTES - heldMinutes) * MINUTE_MS
  return { expiresAt, holdsUntil: new Date(Math.min(planned.getTime(), from.getTime() + held)) }
}
