import type { Sentence } from '../platform/kernel/errors.ts'
import type { Hundredths } from '../platform/kernel/units.ts'
import type { Figures } from './corrections.rules.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { Meter } from './meters.rules.ts'

/** How often the figures of a flight can be corrected while its signatures stand. */
export const MOST_CORRECTIONS = 2

/** For this many days after its return a billed flight can be corrected while its signatures stand. */
const CORRECTED_WITHIN_DAYS = 60
const DAY_MS = 86_400_000

/** The readings between which those of a flight stay, in hundredths of an hour; null without one. */
export interface Neighbours {
  /** The reading in of the flight before. */
  previousIn: Hundredths | null
  /** The reading out of the flight after. */
  nextOut: Hundredths | null
  /** The highest reading at a completed maintenance that is not above the reading in of this flight. */
  completedAt: Hundredths | null
}

/** The facts that decide whether figures can be corrected while the signatures stand. */
export interface KeptCorrection {
  before: Figures
  after: Figures
  neighbours: Readonly<Record<Meter, Neighbours>>
  flownAt: Date
}

/**
 * Returns why figures cannot be corrected while the signatures stand; null when they can. Times only become shorter, so that nobody pays
 * more than was signed. The readings stay between those of the aircraft's flights before and after, and above its last maintenance; a
 * reading that is already beyond one of these may stay there. A flight can be corrected for 60 days.
 * Implements interface §Reservations, correct.
 */
export function whyReview({ before, after, neighbours, flownAt }: KeptCorrection, now: Date): Sentence | null {
  if (now.getTime() - flownAt.getTime() > CORRECTED_WITHIN_DAYS * DAY_MS) {
    return dispatchErrors.correctedTooLate({ days: CORRECTED_WITHIN_DAYS })
  }
  if ((after.briefing ?? 0) > (before.briefing ?? 0)) return dispatchErrors.timeRises({ what: 'briefing' })
  for (const meter of ['hobbs', 'tach'] as const) {
    const [out, back] = [`${meter}TimeOut`, `${meter}TimeIn`] as const
    const old = { out: before[out], in: before[back] }
    const corrected = { out: after[out], in: after[back] }
    if (old.out === null || old.in === null || corrected.out === null || corrected.in === null) continue
    if (corrected.in - corrected.out > old.in - old.out) return dispatchErrors.timeRises({ what: meter })
    const { previousIn, nextOut, completedAt } = neighbours[meter]
    const isBetween =
      corrected.out >= Math.min(previousIn ?? corrected.out, old.out) &&
      corrected.in <= Math.max(nextOut ?? corrected.in, old.in) &&
      corrected.in >= Math.min(completedAt ?? corrected.in, old.in)
    if (!isBetween) return dispatchErrors.outOfLine({ meter })
  }
  return null
}
