import type { FollowedMeters } from '../../shared/dispatch/follow-with-meters.ts'
import { readingToNumber } from '../../shared/platform/kernel/hours.ts'

/** The aircraft's meters after a correction; hundredths of an hour become JSON numbers in hours. */
export function meterView({ followed, aircraftHobbs, aircraftTach }: FollowedMeters) {
  const reading = (hundredths: number | null) => (hundredths === null ? null : readingToNumber(hundredths))
  return { followed, aircraftHobbs: reading(aircraftHobbs), aircraftTach: reading(aircraftTach) }
}
