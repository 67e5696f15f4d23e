import { formatReading, type Hundredths } from '../../platform/kernel/hours.ts'
import { endOfMonthAfter, localDate } from '../../platform/kernel/zones.ts'

/** What a reminder counts by: the calendar, or one of the aircraft's meters. */
export const reminderBases = ['calendar', 'hobbs', 'tach'] as const
export type ReminderBasis = (typeof reminderBases)[number]

export const reminderStatuses = ['ok', 'due_soon', 'overdue'] as const
export type ReminderStatus = (typeof reminderStatuses)[number]

/** What the aircraft's meters read, in hundredths of an hour; null where it has none or nothing was ever read. */
export type MeterReadings = Readonly<Record<'hobbs' | 'tach', Hundredths | null>>

/** When the work is due, and how long before that people are warned. */
export interface ReminderDue {
  basis: ReminderBasis
  dueAt: Date | null
  dueHundredths: Hundredths | null
  warnDays: number
  warnHundredths: Hundredths
}

const DAY_MS = 86_400_000

/**
 * How a reminder stands. By the calendar it is overdue after its due instant; by a meter as soon as the meter reaches
 * the due reading, since no time is left to fly. What has no due date or reading is never due.
 */
export function reminderStatus(reminder: ReminderDue, at: { now: Date; meters: MeterReadings }): ReminderStatus {
  if (reminder.basis === 'calendar') {
    if (reminder.dueAt === null) return 'ok'
    const left = reminder.dueAt.getTime() - at.now.getTime()
    return left < 0 ? 'overdue' : left <= reminder.warnDays * DAY_MS ? 'due_soon' : 'ok'
  }
  const reads = at.meters[reminder.basis]
  if (reminder.dueHundredths === null || reads === null) return 'ok'
  const left = reminder.dueHundredths - reads
  return left <= 0 ? 'overdue' : left <= reminder.warnHundredths ? 'due_soon' : 'ok'
}

/** Whether moving the meters makes a reminder overdue that was not: an hour-based inspection that a flight passes. */
export function isPassed(reminder: ReminderDue, now: Date, before: MeterReadings, after: MeterReadings): boolean {
  if (reminder.basis === 'calendar') return false
  const overdue = (meters: MeterReadings) => reminderStatus(reminder, { now, meters }) === 'overdue'
  return !overdue(before) && overdue(after)
}

/** What is repeated, and since when: the interval of a reminder and where it started. */
export interface ReminderInterval {
  basis: ReminderBasis
  intervalMonths: number | null
  intervalHundredths: Hundredths | null
}

/**
 * When the work is due after it was done at `doneAt`, with the meter at `reading`. Calendar months run to the end of
 * the last day of the month, in the zone of the resource. Without an interval it does not come due again.
 */
export function nextDue(
  { basis, intervalMonths, intervalHundredths }: ReminderInterval,
  done: { doneAt: Date; reading: Hundredths | null; zone: string },
): { dueAt: Date | null; dueHundredths: Hundredths | null } {
  if (basis === 'calendar') {
    const dueAt = intervalMonths === null ? null : endOfMonthAfter(done.doneAt, intervalMonths, done.zone)
    return { dueAt, dueHundredths: null }
  }
  const known = intervalHundredths !== null && done.reading !== null
  return { dueAt: null, dueHundredths: known ? (done.reading ?? 0) + (intervalHundredths ?? 0) : null }
}

/** Why an overdue reminder holds the aircraft, in words; a date is the local one. */
export function overdueInWords(reminder: ReminderDue & { name: string }, zone: string): string {
  if (reminder.basis === 'calendar') {
    return `${reminder.name} was due on ${reminder.dueAt ? localDate(reminder.dueAt, zone) : 'an unknown day'}`
  }
  const meter = reminder.basis === 'hobbs' ? 'Hobbs' : 'tach'
  return `${reminder.name} is due at ${meter} ${formatReading(reminder.dueHundredths ?? 0)}`
}
