import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate, minuteOfDay } from '../../platform/kernel/zones.ts'

/**
 * The night of the booking rules, in local minutes: the hours in which it is dark everywhere, since a location may have no
 * coordinates.
 */
const NIGHT = { fromMinute: 21 * 60, toMinute: 5 * 60 }

/**
 * Returns whether a booking touches the hours from 21:00 to 05:00, in the zone of its aircraft. Implements
 * interface §Booking rules.
 */
export function touchesNight({ start, end }: Interval, zone: string): boolean {
  const lastMoment = new Date(end.getTime() - 1)
  if (localDate(start, zone) !== localDate(lastMoment, zone)) return true
  return minuteOfDay(start, zone) < NIGHT.toMinute || minuteOfDay(lastMoment, zone) >= NIGHT.fromMinute
}
