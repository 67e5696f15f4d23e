import { z } from 'zod'
import { fieldErrors } from '../../shared/platform/field.errors.ts'
import type { Sentence } from '../../shared/platform/kernel/errors.ts'
import { type Interval, type NoInstant, readInstant } from '../../shared/platform/kernel/instants.ts'
import { firstInstant, givenLimits, type WindowInput } from '../../shared/platform/kernel/windows.ts'
import { invalidFields } from '../../shared/platform/platform.errors.ts'
import { httpErrors } from './http.errors.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000
/** The most milliseconds by which clock changes lengthen a window of days. */
const CLOCK_CHANGES_MS = 3 * 3_600_000

const noLimit: Record<NoInstant, string> = {
  malformed: fieldErrors.dayOrInstant(),
  local: fieldErrors.instantWithOffset(),
  outside: fieldErrors.instantInYears(),
}

/**
 * A limit of a window: a day of the organization's zone, which stays a text, or an instant with an offset, which
 * becomes a Date. `windowOf` returns the instants of both.
 */
export const WindowLimit = z
  .string()
  .max(64, { error: noLimit.malformed, abort: true })
  .transform((value, context) => {
    const isDay = DATE.test(value)
    const instant = readInstant(isDay ? `${value}T00:00:00Z` : value)
    if (instant instanceof Date) return isDay ? value : instant
    context.addIssue(noLimit[instant])
    return z.NEVER
  })
  .meta({ override: { type: 'string' } })

const from = 'The start of the window: a day of the organization’s time zone, or an instant with an offset'
const to = 'The end of the window: a day, which is included, or an instant, which is not'

/** The query fields of a window whose limits are optional. */
export const openWindow = {
  startDate: WindowLimit.optional().describe(`${from}. Absent: open`).meta({ id: 'StartDate' }),
  endDate: WindowLimit.optional().describe(`${to}. Absent: open`).meta({ id: 'EndDate' }),
}

/** The query fields of a window whose limits are required. */
export const requiredWindow = {
  startDate: WindowLimit.describe(from).meta({ id: 'RequiredStartDate' }),
  endDate: WindowLimit.describe(to).meta({ id: 'RequiredEndDate' }),
}

/** The query fields of a window that is the last thirty days by default. */
export const reportWindowFields = {
  startDate: WindowLimit.optional()
    .describe(`${from}. Absent: 30 days before the end. A window has at most 400 days`)
    .meta({ id: 'ReportStartDate' }),
  endDate: WindowLimit.optional().describe(`${to}. Absent: the end of today`).meta({ id: 'ReportEndDate' }),
}

/** Whose days the limits of a window name. */
interface InZone {
  organization: { timeZoneName: string }
}

/** Returns the instant of one limit. A day means its first instant. */
export function instantOf(limit: string | Date, zoned: InZone): Date
export function instantOf(limit: string | Date | undefined, zoned: InZone): Date | undefined
export function instantOf(limit: string | Date | undefined, { organization }: InZone) {
  return limit === undefined ? undefined : firstInstant(limit, organization.timeZoneName)
}

interface WindowRule {
  /** The most days between the limits. */
  mostDays?: number
  /** The path of the object that has the limits. */
  within?: string
}

/**
 * Returns the window of a query as instants: a day is a day of the organization's zone, and the last day is included.
 * Refuses a window that is empty or longer than `mostDays`.
 */
export function windowOf(
  query: { startDate: string | Date; endDate: string | Date },
  zoned: InZone,
  rule?: WindowRule,
): Interval
export function windowOf(query: WindowInput, zoned: InZone, rule?: WindowRule): Partial<Interval>
export function windowOf(query: WindowInput, { organization }: InZone, { mostDays, within }: WindowRule = {}) {
  const limits = givenLimits(query, organization.timeZoneName)
  const { start, end } = limits
  if (!start || !end) return limits
  const field = within ? `${within}.endDate` : 'endDate'
  const refused = (message: Sentence) => invalidFields([{ field, message }])
  if (start >= end) throw refused(httpErrors.windowReversed({ field }))
  const slack = query.startDate instanceof Date && query.endDate instanceof Date ? 0 : CLOCK_CHANGES_MS
  if (mostDays !== undefined && end.getTime() - start.getTime() > mostDays * DAY_MS + slack) {
    throw refused(httpErrors.windowTooLong({ field, days: mostDays }))
  }
  return limits
}
