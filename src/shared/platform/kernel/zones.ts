import { Temporal } from 'temporal-polyfill'

/**
 * Local time at an airport. Instants are Dates, local dates are "YYYY-MM-DD", times of day are minutes after local
 * midnight. Answers are remembered, because a search for openings asks the same few thousand moments again and again.
 */

/** How a zone's wall clock reads at an instant; `dayOfWeek` runs from 1 (Monday) to 7 (Sunday). */
interface WallClock {
  date: string
  minute: number
  dayOfWeek: number
}

const REMEMBERED = 20_000

const clocks = new Map<string, Map<number, WallClock>>()
const instants = new Map<string, Map<string, number>>()
const zones = new Set<string>()

/**
 * Whether this is the name of an IANA zone, spelled as the database of zones spells it. A fixed offset ("+02:00") is
 * none.
 */
export function isZone(name: string): boolean {
  if (zones.has(name)) return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    if (timeZoneId !== name) return false
  } catch {
    return false
  }
  zones.add(name)
  return true
}

/**
 * The instant at which a zone's wall clock shows a minute of a local date; 1440 is the next midnight. A wall time
 * that a clock change skips moves forward by the gap; one that it doubles is the first. Throws a RangeError for an
 * unknown zone or an impossible date.
 */
export function wallToInstant(date: string, minute: number, zone: string): Date {
  const key = `${date}|${minute}`
  const known = instants.get(zone)?.get(key)
  if (known !== undefined) return new Date(known)
  const day = Temporal.PlainDate.from(date, { overflow: 'reject' }).add({ days: Math.floor(minute / 1440) })
  const time = { hour: Math.floor((minute % 1440) / 60), minute: minute % 60 }
  const zoned = day.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'compatible' })
  remember(instants, zone, key, zoned.epochMilliseconds)
  return new Date(zoned.epochMilliseconds)
}

/** The local date at an instant, "YYYY-MM-DD". */
export function localDate(instant: Date, zone: string): string {
  return wallClock(instant, zone).date
}

/** The whole minutes after local midnight that the wall clock shows at an instant. */
export function minuteOfDay(instant: Date, zone: string): number {
  return wallClock(instant, zone).minute
}

/** The local day of the week at an instant, 1 (Monday) to 7 (Sunday). */
export function dayOfWeek(instant: Date, zone: string): number {
  return wallClock(instant, zone).dayOfWeek
}

/** The local dates that a half-open interval touches, in order. */
export function localDates(start: Date, end: Date, zone: string): string[] {
  const dates = [localDate(start, zone)]
  const last = localDate(new Date(Math.max(start.getTime(), end.getTime() - 1)), zone)
  while (dates.at(-1)! < last) dates.push(addDays(dates.at(-1)!, 1))
  return dates
}

/** How many local midnights lie between two instants; one exactly at the start or the end is not crossed. */
export function midnightsBetween(start: Date, end: Date, zone: string): number {
  return localDates(start, end, zone).length - 1
}

/** A local date moved by whole days. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/**
 * The last millisecond of the month that lies `months` calendar months after the instant's own, in a zone: how the
 * regulations let a period of calendar months run out.
 */
export function endOfMonthAfter(instant: Date, months: number, zone: string): Date {
  const month = Temporal.PlainDate.from(localDate(instant, zone)).toPlainYearMonth()
  const following = month.add({ months: months + 1 }).toPlainDate({ day: 1 })
  return new Date(wallToInstant(following.toString(), 0, zone).getTime() - 1)
}

function wallClock(instant: Date, zone: string): WallClock {
  const epoch = instant.getTime()
  const known = clocks.get(zone)?.get(epoch)
  if (known) return known
  const zoned = Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(zone)
  const clock = {
    date: zoned.toPlainDate().toString(),
    minute: zoned.hour * 60 + zoned.minute,
    dayOfWeek: zoned.dayOfWeek,
  }
  remember(clocks, zone, epoch, clock)
  return clock
}

function remember<K, V>(memory: Map<string, Map<K, V>>, zone: string, key: K, value: V): void {
  const ofZone = memory.get(zone) ?? new Map<K, V>()
  if (ofZone.size >= REMEMBERED) ofZone.clear()
  memory.set(zone, ofZone.set(key, value))
}
