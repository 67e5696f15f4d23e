import type { Interval } from '../../platform/kernel/instants.ts'
import { firstInstant, givenLimits, type WindowInput, windowEnd } from '../../platform/kernel/windows.ts'
import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { insightErrors } from '../insight.errors.ts'

/** The windows of a saved view that are relative to the local day on which it runs. */
export const periods = ['last_month', 'this_month', 'last_90_days'] as const
export type Period = (typeof periods)[number]

/** The periods by which revenue is grouped. Weeks start on Monday. */
export const groupings = ['day', 'week', 'month'] as const
export type Grouping = (typeof groupings)[number]

/** The longest window of a report, in days. */
export const MOST_DAYS = 400
/** The most bars of a chart. */
export const MOST_BARS = 60
/** The days of a window without a start date, including its last day. */
const DEFAULT_DAYS = 30

const DAY_MS = 86_400_000
/** The most milliseconds by which clock changes lengthen a window of whole days. */
const CLOCK_CHANGES_MS = 3 * 3_600_000

/**
 * Returns the window of a report. A date is a local day of the organization's zone; an `endDate` includes the whole
 * day. Without `endDate` the window ends with the present local day; without `startDate` it is 30 local days long.
 * Implements interface §Reports.
 */
export function reportWindow({ startDate, endDate }: WindowInput, now: Date, zone: string): Interval {
  const end = windowEnd(endDate ?? localDate(now, zone), zone)
  const lastDay = localDate(new Date(end.getTime() - 1), zone)
  const start = firstInstant(startDate ?? addDays(lastDay, 1 - DEFAULT_DAYS), zone)
  if (start >= end) throw platformErrors.datesReversed()
  if (end.getTime() - start.getTime() > MOST_DAYS * DAY_MS + CLOCK_CHANGES_MS) {
    throw insightErrors.windowTooLong({ days: MOST_DAYS })
  }
  return { start, end }
}

/** The years of months before the present one of the report on tests; 14 CFR 141.5(d) asks for 24 calendar months. */
const TEST_YEARS = 2

/**
 * Returns the windows of the report on tests: `usual` is the 24 calendar months before the present one and the days of this one, `asked` the
 * one of the request; without limits the usual one. Implements interface §28.4.
 */
export function testWindows(input: WindowInput, now: Date, zone: string): { asked: Interval; usual: Interval } {
  const today = localDate(now, zone)
  const firstDay = `${Number(today.slice(0, 4)) - TEST_YEARS}${today.slice(4, 8)}01`
  const usual = { start: firstInstant(firstDay, zone), end: windowEnd(today, zone) }
  const isAsked = input.startDate !== undefined || input.endDate !== undefined
  return { asked: isAsked ? reportWindow(input, now, zone) : usual, usual }
}

/**
 * Returns the window of a report of the present state, in which a window is optional. An absent limit is open. With
 * both limits, the window is checked like that of `reportWindow`.
 * Implements interface §Reports.
 */
export function narrowingWindow(input: WindowInput, now: Date, zone: string): Partial<Interval> {
  const { startDate, endDate } = input
  if (startDate !== undefined && endDate !== undefined) return reportWindow(input, now, zone)
  return givenLimits(input, zone)
}

/**
 * Returns the first and last local date of a period at an instant.
 * Implements interface §Reports (saved views).
 */
export function datesOf(period: Period, now: Date, zone: string): { startDate: string; endDate: string } {
  const today = localDate(now, zone)
  if (period === 'last_90_days') return { startDate: addDays(today, -89), endDate: today }
  const firstOfMonth = `${today.slice(0, 8)}01`
  if (period === 'this_month') return { startDate: firstOfMonth, endDate: today }
  const endDate = addDays(firstOfMonth, -1)
  return { startDate: `${endDate.slice(0, 8)}01`, endDate }
}

/**
 * Returns the default grouping of a window: days when they are few enough for a chart, else weeks.
 * Implements interface §Reports.
 */
export function usualGrouping(window: Interval, zone: string): Grouping {
  return groupStarts(window, 'day', zone).length <= MOST_BARS ? 'day' : 'week'
}

/**
 * Returns the first local date of each day, week or month that a window touches, in order.
 * Implements interface §Reports.
 */
export function groupStarts({ start, end }: Interval, grouping: Grouping, zone: string): string[] {
  const last = localDate(new Date(end.getTime() - 1), zone)
  const starts: string[] = []
  for (let date = groupStart(localDate(start, zone), grouping); date <= last; date = nextGroup(date, grouping)) {
    starts.push(date)
  }
  return starts
}

function groupStart(date: string, grouping: Grouping): string {
  if (grouping === 'month') return `${date.slice(0, 8)}01`
  if (grouping === 'day') return date
  const sunday0 = new Date(`${date}T00:00:00Z`).getUTCDay()
  return addDays(date, -((sunday0 + 6) % 7))
}

function nextGroup(start: string, grouping: Grouping): string {
  if (grouping === 'day') return addDays(start, 1)
  if (grouping === 'week') return addDays(start, 7)
  return `${addDays(start, 31).slice(0, 8)}01`
}
