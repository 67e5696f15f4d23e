import type { Interval } from '../platform/kernel/instants.ts'

/** A place, in degrees north and east. */
export interface Coordinates {
  latitude: number
  longitude: number
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Noon of 1 January 2000 UTC: the epoch of the sun's equations, day 0. */
const EPOCH_MS = Date.UTC(2000, 0, 1, 12)
const OBLIQUITY = 23.4397
/** The centre of the sun at sunrise and sunset is below the horizon by its radius and the refraction of the air. */
const HORIZON = -0.833

const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180)
const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180)

/**
 * Returns sunrise and sunset of the solar day whose noon is nearest to noon UTC of a day, within some two minutes of the almanac;
 * `up` or `down` when the sun does not cross the horizon on it. By the sunrise equation.
 * @param day days since 1 January 2000
 */
export function sunOf(day: number, { latitude, longitude }: Coordinates): Interval | 'up' | 'down' {
  const noon = day - longitude / 360
  const anomaly = 357.5291 + 0.98560028 * noon
  const centre = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly)
  const ecliptic = anomaly + centre + 180 + 102.9372
  const transit = noon + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * ecliptic)
  const declination = sin(ecliptic) * sin(OBLIQUITY)
  const rise = (sin(HORIZON) - sin(latitude) * declination) / (cos(latitude) * Math.sqrt(1 - declination ** 2))
  if (rise < -1) return 'up'
  if (rise > 1) return 'down'
  const half = Math.acos(rise) / (2 * Math.PI)
  return { start: instantOf(transit - half), end: instantOf(transit + half) }
}

/**
 * Decides whether a flight touches the night of 14 CFR 61.57(b) at a place: from one hour after sunset to one hour before
 * sunrise.
 */
export function touchesPassengerNight({ start, end }: Interval, place: Coordinates): boolean {
  const first = Math.floor((start.getTime() - EPOCH_MS) / DAY_MS) - 1
  const last = Math.ceil((end.getTime() - EPOCH_MS) / DAY_MS) + 1
  let dusk: number | null = null
  for (let day = first; day <= last; day++) {
    const sun = sunOf(day, place)
    if (sun === 'up') dusk = null
    else {
      const dawn = sun === 'down' ? instantOf(day).getTime() : sun.start.getTime() - HOUR_MS
      if (dusk !== null && dusk < end.getTime() && dawn > start.getTime() && dusk < dawn) return true
      dusk = sun === 'down' ? instantOf(day).getTime() : sun.end.getTime() + HOUR_MS
    }
  }
  return false
}

function instantOf(days: number): Date {
  return new Date(EPOCH_MS + days * DAY_MS)
}
