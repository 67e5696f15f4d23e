import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate, minuteOfDay } from '../../platform/kernel/zones.ts'

/**
 * Night for the rules of booking, in local time: the service has no coordinates, and takes the hours in which it is dark
 * everywhere.
 */
const NIGHT = { fromMinute: 21 * 60, toMinute: 5 * 60 }

/** Decides whether a booking touches the night, in the zone of its aircraft. */
export function touchesNight({ start, end }: Interval, zone: string): boolean {
  const lastMoment = new Date(end.getTime() - 1)
  if (localDate(start, zone) !== localDate(lastMoment, zone)) return true
  return minuteOfDay(start, zone) < NIGHT.toMinute || minuteOfDay(lastMoment, zone) >= NIGHT.fromMinute
}
