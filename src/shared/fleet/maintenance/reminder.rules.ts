import { formatReading } from '../../platform/kernel/hours.ts'
import { type Hundredths, plus, ZERO } from '../../platform/kernel/units.ts'
import { endOfMonthAfter, localDate } from '../../platform/kernel/zones.ts'

/** The basis of a maintenance item: the calendar, or one of the aircraft's meters. */
export const reminderBases = ['calendar', 'hobbs', 'tach'] as const
export type ReminderBasis = (typeof reminderBases)[number]

export const reminderStatuses = ['ok', 'due_soon', 'overdue'] as const
export type ReminderStatus = (typeof reminderStatuses)[number]

/** The aircraft's meters in hundredths of an hour; null where it has none or before the first reading. */
export type MeterReadings = Readonly<Record<'hobbs' | 'tach', Hundredths | null>>

/** When the work is due, and how long before that a warning is sent. */
export interface ReminderDue {
  basis: ReminderBasis
  dueAt: Date | null
  dueHundredths: Hundredths | null
  warnDays: number
  warnHundredths: Hundredths
}

const DAY_MS = 86_400_000

/**
 * Returns the status of a maintenance item. By the calendar it is overdue after its due instant; by a meter as soon as
 * the meter reaches the due reading, since no time is left to fly. Without a due date or reading it is never due.
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

/**
 * Decides whether a change of the meters makes an item overdue that was not: a flight passes an hour-based inspection.
 * Implements interface §Reservations (`MAINTENANCE_TRIGGER`).
 */
export function isPassed(reminder: ReminderDue, now: Date, before: MeterReadings, after: MeterReadings): boolean {
  if (reminder.basis === 'calendar') return false
  const overdue = (meters: MeterReadings) => reminderStatus(reminder, { now, meters }) === 'overdue'
  return !overdue(before) && overdue(after)
}

/** The interval of a maintenance item and its start. */
export interface ReminderInterval {
  basis: ReminderBasis
  intervalMonths: number | null
  intervalHundredths: Hundredths | null
}

/**
 * Returns the next due date or reading after work done at `doneAt`, with the meter at `reading`. Calendar months run to
 * the end of the last day of the month, in the resource's zone. Without an interval it does not come due again.
 * Implements 14 CFR 91.409 for the annual inspection (12 calendar months) and the 100-hour inspection.
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
  return { dueAt: null, dueHundredths: known ? plus(done.reading ?? ZERO, intervalHundredths ?? ZERO) : null }
}

/** Returns the message why an overdue item holds the aircraft; a date is local. */
export function overdueMessage(reminder: ReminderDue & { name: string }, zone: string): string {
  if (reminder.basis === 'calendar') {
    return `${reminder.name} was due on ${reminder.dueAt ? localDate(reminder.dueAt, zone) : 'an unknown day'}`
  }
  const meter = reminder.basis === 'hobbs' ? 'Hobbs' : 'tach'
  return `${reminder.name} is due at ${meter} ${formatReading(reminder.dueHundredths ?? ZERO)}`
}
