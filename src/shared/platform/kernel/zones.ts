import { Temporal } from 'temporal-polyfill'

/**
 * Local time in a zone. Instants are Dates, local dates are "YYYY-MM-DD", times of day are minutes after local
 * midnight. Results are cached, because a search for openings converts the same few thousand instants and dates repeatedly.
 */

/** The local time of a zone at an instant; `dayOfWeek` is 1 (Monday) to 7 (Sunday). */
interface WallClock {
  date: string
  minute: number
  dayOfWeek: number
}

const REMEMBERED = 20_000

const clocks = new Map<string, Map<number, WallClock>>()
const instants = new Map<string, Map<string, number>>()
const dates = new Map<string, Map<string, string>>()
const zones = new Set<string>()

/** Returns whether a text is the exact name of an IANA zone. A fixed offset ("+02:00") is not. */
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
 * Returns the instant of a local date and a minute after local midnight; minute 1440 is the next midnight. A local time that a
 * clock change skips moves forward by the length of the gap. For a local time that a clock change repeats, the first instant
 * is returned.
 * @throws RangeError for an unknown zone or an impossible date
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

/** Returns the local date at an instant, "YYYY-MM-DD". */
export function localDate(instant: Date, zone: string): string {
  return wallClock(instant, zone).date
}

/** Returns the whole minutes after local midnight at an instant. */
export function minuteOfDay(instant: Date, zone: string): number {
  return wallClock(instant, zone).minute
}

/** Returns the local day of the week at an instant, 1 (Monday) to 7 (Sunday). */
export function dayOfWeek(instant: Date, zone: string): number {
  return wallClock(instant, zone).dayOfWeek
}

/** Returns the local dates that a half-open interval touches, in order. */
export function localDates(start: Date, end: Date, zone: string): string[] {
  const dates = [localDate(start, zone)]
  const last = localDate(new Date(Math.max(start.getTime(), end.getTime() - 1)), zone)
  while (dates.at(-1)! < last) dates.push(addDays(dates.at(-1)!, 1))
  return dates
}

/** Returns how many local midnights are strictly between two instants. */
export function midnightsBetween(start: Date, end: Date, zone: string): number {
  return localDates(start, end, zone).length - 1
}

/** Returns a local date plus whole days. */
export function addDays(date: string, days: number): string {
  return dateAfter('days', date, days, (from) => from.add({ days }))
}

/** Returns the first instant after a local date. */
export function endOfDay(date: string, zone: string): Date {
  return wallToInstant(addDays(date, 1), 0, zone)
}

/**
 * Returns the last day of the month that is `months` calendar months after the month of a local date. Periods of
 * calendar months in 14 CFR end this way.
 */
export function monthEndAfter(date: string, months: number): string {
  return dateAfter('month ends', date, months, (from) => {
    const month = from.toPlainYearMonth().add({ months })
    return month.toPlainDate({ day: month.daysInMonth })
  })
}

/** Returns the first day of the month that is `months` calendar months before the month of a local date. */
export function monthStartBefore(date: string, months: number): string {
  return dateAfter('month starts', date, months, (from) =>
    from.toPlainYearMonth().subtract({ months }).toPlainDate({ day: 1 }),
  )
}

/** A change of a zone's offset from UTC; offsets in minutes. */
export interface OffsetChange {
  at: Date
  before: number
  after: number
}

/** Returns the offset from UTC at an instant, in minutes; east of Greenwich is positive. */
export function offsetMinutes(instant: Date, zone: string): number {
  return zonedAt(instant, zone).offsetNanoseconds / 60_000_000_000
}

/** Returns the changes of a zone's offset after `start` and up to `end`, in order. */
export function offsetChanges(start: Date, end: Date, zone: string): OffsetChange[] {
  const changes: OffsetChange[] = []
  for (let next = zonedAt(start, zone).getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    const at = new Date(next.epochMilliseconds)
    if (at > end) break
    const before = offsetMinutes(new Date(at.getTime() - 1), zone)
    const after = offsetMinutes(at, zone)
    if (before !== after) changes.push({ at, before, after })
  }
  return changes
}

/** Returns the last millisecond of the month that is `months` calendar months after the instant's month, in a zone. */
export function endOfMonthAfter(instant: Date, months: number, zone: string): Date {
  return new Date(endOfDay(monthEndAfter(localDate(instant, zone), months), zone).getTime() - 1)
}

function wallClock(instant: Date, zone: string): WallClock {
  const epoch = instant.getTime()
  const known = clocks.get(zone)?.get(epoch)
  if (known) return known
  const zoned = zonedAt(instant, zone)
  const clock = {
    date: zoned.toPlainDate().toString(),
    minute: zoned.hour * 60 + zoned.minute,
    dayOfWeek: zoned.dayOfWeek,
  }
  remember(clocks, zone, epoch, clock)
  return clock
}

function zonedAt(instant: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
}

/** Returns the date that `count` of a unit lead to from a date, which `later` computes. */
function dateAfter(
  unit: string,
  date: string,
  count: number,
  later: (from: Temporal.PlainDate) => Temporal.PlainDate,
): string {
  const key = `${date}|${count}`
  const known = dates.get(unit)?.get(key)
  if (known !== undefined) return known
  const found = later(Temporal.PlainDate.from(date)).toString()
  remember(dates, unit, key, found)
  return found
}

function remember<K, V>(memory: Map<string, Map<K, V>>, zoneOrUnit: string, key: K, value: V): void {
  const known = memory.get(zoneOrUnit) ?? new Map<K, V>()
  if (known.size >= REMEMBERED) known.clear()
  memory.set(zoneOrUnit, known.set(key, value))
}

/**
 * Returns the number of local days from one instant to another: 0 on the same day, negative when the second is earlier.
 */
export function daysBetween(from: Date, to: Date, zone: string): number {
  return (Date.parse(localDate(to, zone)) - Date.parse(localDate(from, zone))) / 86_400_000
}
