import type { FollowedMeters } from '../../shared/dispatch/follow-with-meters.ts'
import { readingToNumber } from '../../shared/platform/kernel/hours.ts'

/** The aircraft's meters after a correction, as JSON carries readings. */
export function meterView({ followed, aircraftHobbs, aircraftTach }: FollowedMeters) {
  const reading = (hundredths: number | null) => (hundredths === null ? null : readingToNumber(hundredths))
  return { followed, aircraftHobbs: reading(aircraftHobbs), aircraftTach: reading(aircraftTach) }
}
