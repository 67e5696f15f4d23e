import type { findUndone } from '../../../shared/fleet/maintenance/completion.queries.ts'
import {
  dueOf,
  type MaintenanceItemRow,
  metersOfRow,
} from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import {
  firstDue,
  type Limit,
  type MeterReadings,
  maintenanceStatus,
  readingInWords,
} from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import type { listMeterChanges } from '../../../shared/fleet/maintenance/meter-change.queries.ts'
import type { SquawkRow } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import type { ResourceRow } from '../../../shared/fleet/resources/resource.queries.ts'
import type { ResourceFileRow } from '../../../shared/fleet/resources/resource-file.queries.ts'
import { formatReading } from '../../../shared/platform/kernel/hours.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { remainingOf } from './maintenance-item.view.ts'

/** The facts of a status sheet. */
export interface StatusFacts {
  school: string
  country: string | null
  resource: ResourceRow
  items: readonly MaintenanceItemRow[]
  squawks: readonly SquawkRow[]
  files: readonly ResourceFileRow[]
  meterChanges: Awaited<ReturnType<typeof listMeterChanges>>
  /** The latest undone completions. */
  undone: Awaited<ReturnType<typeof findUndone>>
}

type Cells<Name extends string> = Record<Name, string>

/** The texts of an aircraft's status sheet, in reading order. A table has only as many rows as fit on the page. */
export interface StatusSheet {
  title: string
  school: string
  country: string | null
  aircraft: string
  state: string
  meters: string
  inspections: Fitted<'item' | 'last' | 'next' | 'remaining' | 'status'>
  /** Null when no completion was undone. */
  undone: Fitted<'item' | 'done' | 'undone' | 'reason'> | null
  deferred: Fitted<'item' | 'until' | 'reference' | 'placard'>
  open: Fitted<'item' | 'severity' | 'status' | 'reported'>
  documents: Fitted<'category' | 'name' | 'added'>
}

export interface Fitted<Name extends string> {
  rows: Cells<Name>[]
  /** The number of rows that do not fit. */
  more: number
}

/**
 * `ROOM`: the number of rows, over all tables, that fit on a page of US Letter; some rows have two lines. `LEAST`: the
 * least number of rows of each table.
 */
const ROOM = 16
const LEAST = 3
/** The rows of the table of undone completions, and the rows of the other tables whose place it takes. */
const MOST_UNDONE = 2
const PLACE_OF_UNDONE = 4
/** The most characters of a cell. The text of a cell must fit on one line. */
const LONGEST = 34

/** Returns the texts of an aircraft's status sheet at an instant; days are local to the aircraft. */
export function statusSheet(facts: StatusFacts, now: Date): StatusSheet {
  const { resource } = facts
  const zone = resource.location_zone
  const day = (instant: Date | null) => (instant ? localDate(instant, zone) : '–')
  const inspections = facts.items.map((row) => inspectionCells(row, now, day))
  const standing = facts.squawks.filter(({ status }) => status !== 'resolved')
  const deferred = standing.filter(({ status }) => status === 'deferred').map(deferredCells)
  const open = standing
    .filter(({ status }) => status !== 'deferred')
    .map((row) => ({
      item: cut(row.title),
      severity: row.severity,
      status: row.status.replace('_', ' '),
      reported: day(row.created_at),
    }))
  const documents = facts.files.map((row) => ({
    category: row.category.replaceAll('_', ' '),
    name: cut(row.label ?? row.file_name),
    added: day(row.created_at),
  }))
  const undone = facts.undone.map((row) => undoneCells(row, day))
  const [first, second, third, fourth] = share(
    [inspections, deferred, open, documents].map(({ length }) => length),
    undone.length > 0 ? ROOM - PLACE_OF_UNDONE : ROOM,
  )
  const reason = resource.grounded_reason ?? resource.system_hold_reason
  return {
    title: `Aircraft status: ${resource.name}`,
    school: facts.school,
    country: facts.country,
    aircraft: [
      resource.tail_number,
      resource.make,
      resource.model,
      resource.serial_number && `s/n ${resource.serial_number}`,
    ]
      .filter(Boolean)
      .join(' · '),
    state:
      resource.grounded_by_person || resource.system_hold_reason !== null
        ? cut(`Grounded${reason ? `: ${reason}` : ''}`, 3 * LONGEST)
        : 'In service',
    meters: metersInWords(facts, day),
    inspections: fitted(inspections, first),
    undone: undone.length > 0 ? fitted(undone, MOST_UNDONE) : null,
    deferred: fitted(deferred, second),
    open: fitted(open, third),
    documents: fitted(documents, fourth),
  }
}

function inspectionCells(row: MaintenanceItemRow, now: Date, day: (instant: Date | null) => string) {
  const at = { now, meters: metersOfRow(row) }
  const due = dueOf(row)
  const limit = firstDue(due, at)
  const left = remainingOf(limit, at, row.zone)
  const unit = limit.basis === 'calendar' ? 'days' : limit.basis === 'landings' ? 'landings' : 'h'
  return {
    item: cut(row.name, 25),
    last: lastDone(limit, day),
    next:
      limit.basis === 'calendar' ? day(limit.dueAt) : limit.due === null ? '–' : readingInWords(limit.basis, limit.due),
    remaining: left === null ? '–' : `${left} ${unit}`,
    status: maintenanceStatus(due, at).replace('_', ' '),
  }
}

function undoneCells(row: StatusFacts['undone'][number], day: (instant: Date | null) => string) {
  return {
    item: cut(row.item, 25),
    done: day(row.done_at),
    undone: cut(`${day(row.undone_at)}, ${row.undone_by_name}`),
    reason: cut(row.undone_because ?? ''),
  }
}

function lastDone({ basis, lastDoneAt, lastDone: reading }: Limit, day: (instant: Date | null) => string): string {
  if (basis === 'calendar' || reading === null) return day(lastDoneAt)
  const at = readingInWords(basis, reading)
  return lastDoneAt ? `${day(lastDoneAt)}, ${at}` : at
}

function deferredCells(row: SquawkRow) {
  return {
    item: cut(row.title),
    until: row.deferred_until ?? 'no end',
    reference: cut(row.deferral_reference ?? '–', 24),
    placard: row.placarded ? 'placarded' : 'no placard',
  }
}

function metersInWords({ resource, meterChanges }: StatusFacts, day: (instant: Date) => string): string {
  const { hobbs_hundredths: hobbs, tach_hundredths: tach, landings } = resource
  const readings: Partial<MeterReadings> = { hobbs, tach }
  const words = (['hobbs', 'tach'] as const).flatMap((meter) => {
    const reads = readings[meter]
    if (reads == null) return []
    const replaced = meterChanges.find((change) => change.meter === meter)
    const since = replaced
      ? ` (replaced ${day(replaced.changedAt)}: ${formatReading(replaced.old)} to ${formatReading(replaced.new)})`
      : ''
    return [`${readingInWords(meter, reads)}${since}`]
  })
  return [...words, ...(resource.kind === 'plane' ? [`${landings} landings`] : [])].join(' · ') || 'No meters'
}

/**
 * Returns the number of rows of each table: first up to `LEAST` for each, then the remaining rows to the tables in
 * order.
 */
export function share(wanted: readonly number[], room = ROOM): number[] {
  const given = wanted.map((rows) => Math.min(rows, LEAST))
  let left = room - given.reduce((sum, rows) => sum + rows, 0)
  return wanted.map((rows, index) => {
    const more = Math.min(rows - given[index]!, left)
    left -= more
    return given[index]! + more
  })
}

function fitted<Name extends string>(rows: Cells<Name>[], most = 0): Fitted<Name> {
  return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) }
}

function cut(text: string, most = LONGEST): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
