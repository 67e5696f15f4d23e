import type { Interval } from '../../platform/kernel/instants.ts'
import { localDate, minuteOfDay } from '../../platform/kernel/zones.ts'

/** A position, in degrees north and east. */
export interface Coordinates {
  latitude: number
  longitude: number
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Noon of 1 January 2000 UTC: the epoch of the sun's equations, day 0. */
const EPOCH_MS = Date.UTC(2000, 0, 1, 12)
const OBLIQUITY = 23.4397
/**
 * The height of the sun's centre at sunrise and sunset, in degrees: below the horizon by its radius and the refraction of the
 * air.
 */
const HORIZON = -0.833
/** The height of the sun's centre at the start of morning and the end of evening civil twilight, in degrees. */
const TWILIGHT = -6

const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180)
const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180)

/**
 * The definitions of night: `logged` from the end of evening to the start of morning civil twilight (14 CFR 1.1),
 * `passengers` from one hour after sunset to one hour before sunrise (61.57(b)), `sunless` from sunset to sunrise.
 */
export type Night = 'logged' | 'passengers' | 'sunless'

/** The height of the sun in degrees at the bounds of the day, and the milliseconds between these bounds and the night. */
const bounds: Readonly<Record<Night, { degrees: number; ms: number }>> = {
  logged: { degrees: TWILIGHT, ms: 0 },
  passengers: { degrees: HORIZON, ms: HOUR_MS },
  sunless: { degrees: HORIZON, ms: 0 },
}

/**
 * Returns sunrise and sunset by the sunrise equation, to about two minutes; `up` or `down` when the sun does not cross the
 * horizon. The solar day is the one whose noon is nearest to noon UTC of `day`. `horizon` is the height of the sun's centre
 * at sunrise and sunset, in degrees.
 * @param day days since 1 January 2000
 */
export function sunOf(
  day: number,
  { latitude, longitude }: Coordinates,
  horizon: number = HORIZON,
): Interval | 'up' | 'down' {
  const noon = day - longitude / 360
  const anomaly = 357.5291 + 0.98560028 * noon
  const centre = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly)
  const ecliptic = anomaly + centre + 180 + 102.9372
  const transit = noon + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * ecliptic)
  const declination = sin(ecliptic) * sin(OBLIQUITY)
  const rise = (sin(horizon) - sin(latitude) * declination) / (cos(latitude) * Math.sqrt(1 - declination ** 2))
  if (rise < -1) return 'up'
  if (rise > 1) return 'down'
  const half = Math.acos(rise) / (2 * Math.PI)
  return { start: instantOf(transit - half), end: instantOf(transit + half) }
}

/** The night of a place without coordinates, in minutes after local midnight. */
const DARK = { fromMinute: 21 * 60, toMinute: 5 * 60 }

/**
 * Returns whether a flight touches a night at a place; without coordinates, whether it touches the hours from 21:00 to 05:00
 * in its zone. Implements interface §Booking rules.
 */
export function touchesNight(
  flight: Interval,
  { zone, coordinates }: { zone: string; coordinates: Coordinates | null },
  night: Night,
): boolean {
  return coordinates ? touchesDark(flight, coordinates, night) : touchesDarkHours(flight, zone)
}

function touchesDarkHours({ start, end }: Interval, zone: string): boolean {
  const lastMoment = new Date(end.getTime() - 1)
  if (localDate(start, zone) !== localDate(lastMoment, zone)) return true
  return minuteOfDay(start, zone) < DARK.toMinute || minuteOfDay(lastMoment, zone) >= DARK.fromMinute
}

/** Returns whether a flight touches a night at a place, by the position of the sun. Implements 14 CFR 1.1 and 61.57(b). */
export function touchesDark({ start, end }: Interval, place: Coordinates, night: Night): boolean {
  const { degrees, ms } = bounds[night]
  const first = Math.floor((start.getTime() - EPOCH_MS) / DAY_MS) - 1
  const last = Math.ceil((end.getTime() - EPOCH_MS) / DAY_MS) + 1
  let dusk: number | null = null
  for (let day = first; day <= last; day++) {
    const sun = sunOf(day, place, degrees)
    if (sun === 'up') dusk = null
    else {
      const dawn = sun === 'down' ? instantOf(day).getTime() : sun.start.getTime() - ms
      if (dusk !== null && dusk < end.getTime() && dawn > start.getTime() && dusk < dawn) return true
      dusk = sun === 'down' ? instantOf(day).getTime() : sun.end.getTime() + ms
    }
  }
  return false
}

function instantOf(days: number): Date {
  return new Date(EPOCH_MS + days * DAY_MS)
}
