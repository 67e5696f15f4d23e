import { z } from 'zod'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import {
  type LogbookRow,
  type LogbookTotals,
  logbookCounts,
  logbookTimes,
} from '../../../shared/insight/logbook/logbook.queries.ts'
import { formatTenths } from '../../../shared/platform/kernel/hours.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { Approaches, approachView } from '../../dispatch/flight-log.view.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import type { Cell } from '../reports/define-report.ts'

const columns = [...logbookTimes, ...logbookCounts] as const
type Column = (typeof columns)[number]

/** The columns of 14 CFR 61.51(b): times, then counts. */
const Columns = Object.fromEntries([
  ...logbookTimes.map((column) => [column, z.int().meta({ unit: 'Tenths of an hour' })]),
  ...logbookCounts.map((column) => [column, z.int()]),
]) as Record<Column, z.ZodInt>

const text = () => z.string().nullable()

const aircraft = {
  category: text(),
  class: text(),
  deviceKind: text().describe('The kind of simulator or training device; null for an aircraft'),
  make: text(),
  model: text(),
}

/** One flight, lesson or session of a logbook. */
export const LogbookEntry = z
  .object({
    reservationId: Id,
    date: z.string(),
    start: Instant,
    type: z.enum(reservationTypes),
    resource: z
      .object({ id: Id, name: z.string(), tailNumber: z.string().nullable(), ...aircraft })
      .nullable()
      .describe('The aircraft or device (14 CFR 61.51(b)(1)(iv)); null when the booking has none'),
    instructor: Person.nullable().describe(
      'The first instructor of the booking (14 CFR 61.51(h)); null when it has none',
    ),
    logged: z.boolean().describe('`false` when the member logged nothing and the times come from the meters'),
    totalDeciHours: z
      .int()
      .nullable()
      .describe(
        'Tenths of hours of flight time (14 CFR 61.51(b)(1)(ii)); null for a ground lesson or a simulator session',
      ),
    ...Columns,
    approaches: Approaches,
    route: text().describe('Where the flight started and ended (14 CFR 61.51(b)(1)(iii)); null when it is not logged'),
    remarks: z.string().nullable(),
    correctedAfterSigning: z
      .object({ at: Instant, toDeciHours: z.int() })
      .nullable()
      .describe('The last correction after the flight was signed. The times of the entry stay as they were signed'),
  })
  .meta({ id: 'LogbookEntry' })

/** The totals by category, class, make and model, over all flights that the filter selects. */
export const LogbookTotal = z.object({ ...aircraft, totalDeciHours: z.int(), ...Columns }).meta({ id: 'LogbookTotal' })

export function logbookEntryView(row: LogbookRow): z.input<typeof LogbookEntry> {
  const { resourceId, resourceName, tailNumber, category, class: group, deviceKind, make, model } = row
  return {
    reservationId: row.reservationId,
    date: localDate(row.start, row.zone),
    start: iso(row.start),
    type: row.type,
    resource:
      resourceId === null
        ? null
        : { id: resourceId, name: resourceName ?? '', tailNumber, category, class: group, deviceKind, make, model },
    instructor: personView(row.instructorId, row.instructorName),
    logged: row.logged,
    totalDeciHours: row.totalDeciHours,
    ...figuresOf(row),
    approaches: row.approaches.map(approachView),
    route: row.route,
    remarks: row.remarks,
    correctedAfterSigning:
      row.correctedAt && row.correctedDeciHours !== null
        ? { at: iso(row.correctedAt), toDeciHours: row.correctedDeciHours }
        : null,
  }
}

export function logbookTotalView(row: LogbookTotals): z.input<typeof LogbookTotal> {
  const { category, class: group, deviceKind, make, model, totalDeciHours } = row
  return { category, class: group, deviceKind, make, model, totalDeciHours, ...figuresOf(row) }
}

function figuresOf(row: Record<Column, number>): Record<Column, number> {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Record<Column, number>
}

const described = [
  'date',
  'type',
  'aircraft',
  'tailNumber',
  'make',
  'model',
  'category',
  'class',
  'deviceKind',
] as const

/** The columns of a logbook in the CSV file. Times are decimal hours. */
export const logbookColumns: readonly string[] = [
  ...described,
  'instructor',
  'total',
  ...columns,
  'approaches',
  'route',
  'remarks',
  'correctedTo',
]

export function logbookCells(row: LogbookRow): Record<string, Cell> {
  const stated = { ...row, date: localDate(row.start, row.zone), aircraft: row.resourceName }
  const times = logbookTimes.map((time) => [time, formatTenths(row[time])])
  return {
    ...Object.fromEntries(described.map((column) => [column, stated[column]])),
    instructor: row.instructorName,
    total: row.totalDeciHours === null ? null : formatTenths(row.totalDeciHours),
    ...Object.fromEntries(times),
    ...Object.fromEntries(logbookCounts.map((count) => [count, row[count]])),
    approaches: row.approaches
      .map(({ kind, count, airport }) => [count, kind, airport].filter(Boolean).join(' '))
      .join('; '),
    route: row.route,
    remarks: row.remarks,
    correctedTo: row.correctedDeciHours === null ? null : formatTenths(row.correctedDeciHours),
  }
}
