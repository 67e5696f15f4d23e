import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { addDays, dayOfWeek, localDate, minuteOfDay, wallToInstant } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { Finding } from './problems.ts'

export const frequencies = ['daily', 'weekly', 'monthly'] as const

/**
 * How a booking repeats. Exactly one of `count` and `until` (inclusive) ends it; days run from 1 Monday to 7 Sunday.
 */
export interface Recurrence {
  frequency: (typeof frequencies)[number]
  interval?: number
  daysOfWeek?: readonly number[]
  count?: number
  until?: Date
}

/** A recurrence of bookings; `skip` leaves out the bookings that the rules refuse. */
export interface BookingRecurrence extends Recurrence {
  onConflict?: 'refuse' | 'skip'
}

/** A recurrence as it is stored in JSON. */
export type StoredRecurrence = Omit<Recurrence, 'until'> & { until?: string }

/** One booking of a series; `index` starts at 1. */
export interface Occurrence extends Interval {
  index: number
}

export type Series = { problems: Finding[] } | { problems: null; occurrences: Occurrence[] }

const LEAST_COUNT = 2
const MOST_COUNT = 104
const LAST_DATE = '2199-12-31'

/**
 * Returns the bookings of a series. The first is the given booking; each later one starts at the same local wall time in the
 * zone, across clock changes, and has the same length. A wall time that a clock change skips moves forward by the gap; of a
 * repeated wall time the first counts. Months without the day are left out. A local day that the zone skips does not cause a
 * second booking on the next day. Weekly series count weeks from the Monday of the first booking's week. Returns problems
 * that name the field when there would be fewer than 2 or more than 104 bookings, or bookings that overlap. Implements
 * interface §Reservations (`recurrence`).
 */
export function expandRecurrence(recurrence: Recurrence, first: Interval, zone: string): Series {
  const problems = checkRecurrence(recurrence, first)
  if (problems.length > 0) return { problems }
  const most = recurrence.count ?? MOST_COUNT + 1
  const length = first.end.getTime() - first.start.getTime()
  const occurrences: Occurrence[] = [{ index: 1, ...first }]
  for (const start of laterStarts(recurrence, first.start, zone)) {
    if (occurrences.length >= most || (recurrence.until && start.getTime() > recurrence.until.getTime())) break
    if (start.getTime() === occurrences.at(-1)?.start.getTime()) continue
    occurrences.push({ index: occurrences.length + 1, start, end: new Date(start.getTime() + length) })
  }
  const refusal = checkOccurrences(recurrence, occurrences)
  return refusal ? { problems: [refusal] } : { problems: null, occurrences }
}

/** Returns the problems of a recurrence before it is expanded. */
function checkRecurrence({ interval, daysOfWeek, count, until, frequency }: Recurrence, first: Interval): Finding[] {
  const problems: Finding[] = []
  const check = (fine: boolean, name: string, entry: Refusing) => {
    if (!fine) problems.push(invalid(name, entry))
  }
  const between = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most
  check(between(interval ?? 1, 1, 366), 'interval', schedulingErrors.intervalUnknown)
  check((count === undefined) !== (until === undefined), 'count', schedulingErrors.countOrUntil)
  check(count === undefined || between(count, LEAST_COUNT, MOST_COUNT), 'count', schedulingErrors.countUnknown)
  check(!until || until.getTime() > first.start.getTime(), 'until', schedulingErrors.untilBeforeStart)
  check(daysOfWeek === undefined || frequency === 'weekly', 'daysOfWeek', schedulingErrors.daysOfWeekly)
  const days = daysOfWeek ?? [1]
  check(days.length > 0 && days.every((day) => between(day, 1, 7)), 'daysOfWeek', schedulingErrors.daysUnknown)
  return problems
}

function checkOccurrences({ count, until }: Recurrence, occurrences: readonly Occurrence[]): Finding | null {
  const ending = until ? 'until' : 'count'
  if (occurrences.length < (count ?? 0)) return invalid('count', schedulingErrors.pastLastYear)
  if (occurrences.length > MOST_COUNT)
    return invalid(ending, ({ field }) => schedulingErrors.seriesTooLong({ field, limit: MOST_COUNT }))
  if (occurrences.length < LEAST_COUNT) return invalid(ending, schedulingErrors.seriesTooShort)
  const clash = occurrences.find((one, index) => index > 0 && overlaps(one, occurrences[index - 1]!))
  return clash ? invalid('interval', schedulingErrors.seriesOverlaps) : null
}

/** Yields the starts after the first, in order, up to the last date. */
function* laterStarts({ frequency, interval = 1, daysOfWeek }: Recurrence, first: Date, zone: string): Generator<Date> {
  const date = localDate(first, zone)
  const minute = minuteOfDay(first, zone)
  const withinMinute = first.getTime() % 60_000
  const weekdays = [...new Set(daysOfWeek ?? [dayOfWeek(first, zone)])].sort((a, b) => a - b)
  const monday = addDays(date, 1 - dayOfWeek(first, zone))
  for (let step = 0; ; step++) {
    const dates =
      frequency === 'daily'
        ? [addDays(date, step * interval)]
        : frequency === 'weekly'
          ? weekdays.map((day) => addDays(monday, step * interval * 7 + day - 1))
          : monthsLater(date, step * interval)
    for (const next of dates) {
      if (next > LAST_DATE) return
      if (next > date) yield new Date(wallToInstant(next, minute, zone).getTime() + withinMinute)
    }
  }
}

/** Returns the same day of a later month; none when the month has no such day, unless it is past the last date. */
function monthsLater(date: string, months: number): string[] {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const moved = new Date(Date.UTC(year, month - 1 + months, day))
  const later = moved.toISOString().slice(0, 10)
  return moved.getUTCDate() === day || later > LAST_DATE ? [later] : []
}

type Refusing = (parameters: { field: string }) => Pick<Finding, 'code' | 'message'>

function invalid(name: string, refusing: Refusing): Finding {
  const field = `recurrence.${name}`
  return { ...refusing({ field }), field }
}
