import { formatReading } from '../../platform/kernel/hours.ts'
import { type Hundredths, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { addDays, endOfDay, endOfMonthAfter, localDate } from '../../platform/kernel/zones.ts'

/** What a limit of a maintenance item counts by: the calendar, a meter of the aircraft, its landings, or the use of the item. */
export const limitBases = ['calendar', 'hobbs', 'tach', 'landings', 'use'] as const
export type LimitBasis = (typeof limitBases)[number]
export const meterBases = ['hobbs', 'tach', 'landings'] as const satisfies LimitBasis[]
export type MeterBasis = (typeof meterBases)[number]

/** `unknown`: no due date or reading is known, or the meter was never read. */
export const maintenanceStatuses = ['ok', 'unknown', 'due_soon', 'overdue'] as const
export type MaintenanceStatus = (typeof maintenanceStatuses)[number]

/**
 * The aircraft's meters, in hundredths of an hour or of a landing; null for a meter that it does not have or that was
 * never read.
 */
export type MeterReadings = Readonly<Record<MeterBasis, Hundredths | null>>

/** One limit of a maintenance item. Months and days belong to the calendar, the other figures to a meter or to use. */
export interface Limit {
  basis: LimitBasis
  intervalMonths: number | null
  intervalDays: number | null
  interval: Hundredths | null
  lastDoneAt: Date | null
  lastDone: Hundredths | null
  dueAt: Date | null
  due: Hundredths | null
  /** The hours of use since the work was last done, in hundredths; null for another basis. */
  used: Hundredths | null
}

/** How long before its due date or reading a limit counts as `due_soon`. */
export interface Warning {
  warnDays: number
  warnHundredths: Hundredths
}

/** The limits of a maintenance item. The first one reached counts. */
export interface MaintenanceDue extends Warning {
  limits: readonly Limit[]
}

/** The date or the reading at which a limit is due. */
export type DuePoint = Pick<Limit, 'basis' | 'dueAt' | 'due'>

interface Present {
  now: Date
  meters: MeterReadings
}

const DAY_MS = 86_400_000

/**
 * Returns what is left of a limit: milliseconds by the calendar, hundredths by a meter or by use; null when it has no
 * due date or reading, or the meter was never read.
 */
export function leftOf({ basis, dueAt, due, used }: Limit, { now, meters }: Present): number | null {
  if (basis === 'calendar') return dueAt && dueAt.getTime() - now.getTime()
  const reads = basis === 'use' ? used : meters[basis]
  return due === null || reads === null ? null : minus(due, reads)
}

/**
 * Returns the status of one limit. A calendar limit is overdue after its due instant. A limit by a meter is overdue
 * when the meter reaches the due reading, because no flight time is left. A limit by use is overdue when the hours of
 * use reach the due hours; it is never due soon, because use is not planned. A limit without a due date or reading and
 * without an interval is `ok`: its work does not recur.
 * Implements interface §Maintenance.
 */
export function limitStatus(limit: Limit, { warnDays, warnHundredths }: Warning, at: Present): MaintenanceStatus {
  const left = leftOf(limit, at)
  if (left === null) return limit.due !== null || hasInterval(limit) ? 'unknown' : 'ok'
  const byDate = limit.basis === 'calendar'
  if (byDate ? left < 0 : left <= 0) return 'overdue'
  if (limit.basis === 'use') return 'ok'
  return left <= (byDate ? warnDays * DAY_MS : warnHundredths) ? 'due_soon' : 'ok'
}

/**
 * Returns the status of a maintenance item: the worst of its limits, in the order of `maintenanceStatuses`.
 * Implements interface §Maintenance and docs/decisions/0024.
 */
export function maintenanceStatus(item: MaintenanceDue, at: Present): MaintenanceStatus {
  const worst = Math.max(...item.limits.map((limit) => maintenanceStatuses.indexOf(limitStatus(limit, item, at))))
  return maintenanceStatuses[worst] ?? 'ok'
}

/**
 * Returns the limit that is due first: of the limits with the worst status, the one with the least left. The days or
 * hours left are divided by the item's warning in days or hours, so that limits of different bases can be compared. Of
 * equal limits, returns the first.
 * Implements docs/decisions/0024.
 */
export function firstDue(item: MaintenanceDue, at: Present): Limit {
  const urgency = (limit: Limit): readonly [number, number] => {
    const left = leftOf(limit, at) ?? Infinity
    const byDate = limit.basis === 'calendar'
    const share = byDate ? left / DAY_MS / Math.max(item.warnDays, 1) : left / Math.max(item.warnHundredths, 1)
    return [maintenanceStatuses.indexOf(limitStatus(limit, item, at)), share]
  }
  const [first] = item.limits.toSorted((a, b) => {
    const [[rank, share], [otherRank, otherShare]] = [urgency(a), urgency(b)]
    return otherRank - rank || (share === otherShare ? 0 : share - otherShare)
  })
  if (!first) throw new RangeError('a maintenance item has a limit')
  return first
}

/**
 * Returns the first limit by which a change of the meters makes an item overdue; null when none does, or the item was
 * overdue before.
 * Implements interface §Reservations (`MAINTENANCE_TRIGGER`).
 */
export function passedLimit(
  item: MaintenanceDue,
  now: Date,
  before: MeterReadings,
  after: MeterReadings,
): Limit | null {
  if (maintenanceStatus(item, { now, meters: before }) === 'overdue') return null
  return item.limits.find((limit) => limitStatus(limit, item, { now, meters: after }) === 'overdue') ?? null
}

/** When work was done: the instant, the meters at that time, and the aircraft's zone. */
export interface Done {
  doneAt: Date
  meters: MeterReadings
  zone: string
}

/**
 * Returns a limit after work was done. An interval in months ends with the last day of the month, an interval in days
 * with its last day, in the aircraft's time zone. An interval of a meter starts at the reading of the completion; with
 * `carry`, and when the work was done late, at the due reading. Without an interval the limit is not due again.
 * Implements 14 CFR 91.409(b) and docs/decisions/0024.
 */
export function limitAfter(limit: Limit, { doneAt, meters, zone }: Done, carry: boolean): Limit {
  if (limit.basis === 'calendar') return { ...limit, lastDoneAt: doneAt, dueAt: endOfInterval(limit, doneAt, zone) }
  if (limit.basis === 'use') return { ...limit, lastDoneAt: doneAt, due: limit.interval, used: ZERO }
  const reading = meters[limit.basis]
  const lastDone = reading ?? limit.lastDone
  if (limit.interval === null || reading === null) return { ...limit, lastDoneAt: doneAt, lastDone, due: null }
  const from = carry && overrunOf(limit, meters) > 0 ? (limit.due ?? reading) : reading
  return { ...limit, lastDoneAt: doneAt, lastDone, due: plus(from, limit.interval) }
}

/** Returns how far the meters are past a limit's due reading, in hundredths; 0 by the calendar and by use. */
export function overrunOf({ basis, due }: Limit, meters: MeterReadings): Hundredths {
  const reads = basis === 'calendar' || basis === 'use' ? null : meters[basis]
  return due === null || reads === null || reads < due ? ZERO : minus(reads, due)
}

/** Returns the reason why an overdue limit holds the aircraft; the date is local to `zone`. */
export function overdueMessage(name: string, { basis, dueAt, due }: DuePoint, zone: string): string {
  if (basis === 'calendar') return `${name} was due on ${dueAt ? localDate(dueAt, zone) : 'an unknown day'}`
  return `${name} is due at ${readingInWords(basis, due ?? ZERO)}`
}

/** Returns a reading (hundredths) as text: "Hobbs 1234.50", "tach 1100.00", "350 landings", "1.00 hours of use". */
export function readingInWords(basis: MeterBasis | 'use', reading: Hundredths): string {
  if (basis === 'use') return `${formatReading(reading)} hours of use`
  if (basis === 'landings') return `${Math.trunc(reading / 100)} landings`
  return `${basis === 'hobbs' ? 'Hobbs' : 'tach'} ${formatReading(reading)}`
}

function hasInterval({ intervalMonths, intervalDays, interval }: Limit): boolean {
  return intervalMonths !== null || intervalDays !== null || interval !== null
}

function endOfInterval({ intervalMonths, intervalDays }: Limit, from: Date, zone: string): Date | null {
  if (intervalMonths !== null) return endOfMonthAfter(from, intervalMonths, zone)
  if (intervalDays === null) return null
  return new Date(endOfDay(addDays(localDate(from, zone), intervalDays), zone).getTime() - 1)
}
