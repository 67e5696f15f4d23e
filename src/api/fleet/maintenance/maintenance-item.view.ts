import { z } from 'zod'
import type { CompletionRow } from '../../../shared/fleet/maintenance/completion.queries.ts'
import {
  dueOf,
  type MaintenanceItemRow,
  metersOfRow,
} from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import {
  firstDue,
  type Limit,
  leftOf,
  limitBases,
  limitStatus,
  type MeterReadings,
  maintenanceStatus,
  maintenanceStatuses,
} from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { maintenanceKinds } from '../../../shared/fleet/maintenance/maintenance-kind.rules.ts'
import { maintenanceScopes } from '../../../shared/fleet/resources/resource.rules.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../../shared/platform/kernel/units.ts'
import { daysBetween } from '../../../shared/platform/kernel/zones.ts'
import { iso } from '../../http/iso.ts'
import { personView, Signer, signerView } from '../../http/persons.ts'
import { Reading } from '../../http/reading-schemas.ts'
import { Id, Instant, NamedReference, Person } from '../../http/schemas.ts'
import { MaintenanceFile } from './maintenance-file.view.ts'

/** A reading of a maintenance item in an answer: hours of a meter, or landings. */
export const Meter = Reading.meta({ unit: 'Hours, as the meter shows them, or landings' })

/** A duration in an answer, in hours. It is not a reading of a meter. */
const Duration = z.number().meta({ unit: 'Hours' })

const limitFields = {
  basis: z.enum(limitBases),
  intervalMonths: z.int().nullable(),
  intervalDays: z.int().nullable(),
  intervalHours: Duration.nullable(),
  intervalCount: z.int().nullable().describe('Landings'),
  lastDoneAt: Instant.nullable(),
  lastDoneReading: Meter.nullable().describe('Can be negative after the meter was replaced'),
  dueAt: Instant.nullable(),
  dueReading: Meter.nullable(),
  usedHours: Duration.nullable().describe('Only with basis `use`: the hours of use since the work was last done'),
}
const status = z
  .enum(maintenanceStatuses)
  .describe(
    'Calendar basis: `overdue` after `dueAt`. Other bases: `overdue` once the reading or use reaches `dueReading`. ' +
      '`unknown`: the last completion is not known, or the meter was never read',
  )

export const Reminder = z
  .object({
    id: Id,
    resource: NamedReference,
    name: z.string(),
    ...limitFields,
    limits: z
      .array(
        z.object({
          ...limitFields,
          status,
          remaining: z
            .number()
            .nullable()
            .describe('What remains in local days, hours or landings. Negative when overdue; null when not known'),
        }),
      )
      .describe('All limits. The limit that is due first counts: its fields are repeated beside `limits`'),
    carry: z
      .boolean()
      .describe('Whether the next interval is shorter by the hours that were flown past the due reading'),
    warnDays: z.int().describe('How many days before the due date the status becomes `due_soon`'),
    warnHours: Duration.describe(
      'How long before the due reading the status becomes `due_soon`: in hours or, on the landings basis, in landings',
    ),
    grounding: z.boolean(),
    scope: z
      .enum(maintenanceScopes)
      .describe('The bookings that are refused when the reminder is overdue and `grounding` is true'),
    kind: z.enum(maintenanceKinds),
    satisfies: z.array(Id).describe('Ids of reminders that are completed together with this one'),
    status,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Reminder' })

/** Returns a maintenance item with its status at `now`; readings are hours or landings. */
export function maintenanceItemView(row: MaintenanceItemRow, now: Date): z.input<typeof Reminder> {
  const at = { now, meters: metersOfRow(row) }
  const due = dueOf(row)
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    name: row.name,
    ...limitView(firstDue(due, at)),
    limits: due.limits.map((limit) => ({
      ...limitView(limit),
      status: limitStatus(limit, due, at),
      remaining: remainingOf(limit, at, row.zone),
    })),
    carry: row.carry,
    warnDays: row.warn_days,
    warnHours: readingToNumber(row.warn_hundredths),
    grounding: row.grounding,
    scope: row.scope,
    kind: row.kind,
    satisfies: row.satisfies,
    status: maintenanceStatus(due, at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns what remains of a limit in local days, hours or landings; negative when overdue, null when not known. */
export function remainingOf(limit: Limit, at: { now: Date; meters: MeterReadings }, zone: string): number | null {
  if (limit.basis === 'calendar') return limit.dueAt && daysBetween(at.now, limit.dueAt, zone)
  return readingOf(leftOf(limit, at) as Hundredths | null)
}

function limitView({ basis, intervalMonths, intervalDays, interval, ...limit }: Limit) {
  return {
    basis,
    intervalMonths,
    intervalDays,
    intervalHours: basis === 'landings' ? null : readingOf(interval),
    intervalCount: basis === 'landings' ? readingOf(interval) : null,
    lastDoneAt: iso(limit.lastDoneAt),
    lastDoneReading: readingOf(limit.lastDone),
    dueAt: iso(limit.dueAt),
    dueReading: readingOf(limit.due),
    usedHours: readingOf(limit.used),
  }
}

/** One completion of a maintenance item. */
export const CompletionView = z
  .object({
    id: Id,
    doneAt: Instant,
    reading: Meter.nullable(),
    readings: z
      .object({ hobbs: Reading.nullable(), tach: Reading.nullable(), landings: z.int().nullable() })
      .describe('The readings of the aircraft at the time of the work'),
    notes: z.string().nullable(),
    signedBy: Signer.nullable().describe('The mechanic or inspector who signed the work; null: not given'),
    workOrder: z.string().nullable(),
    satisfiedBy: z
      .object({ reminderId: Id, name: z.string() })
      .nullable()
      .describe('The reminder whose completion also completed this one; null otherwise'),
    files: z.array(MaintenanceFile).describe('The files of the completion'),
    by: Person,
    undone: z
      .object({ at: Instant, by: Person, reason: z.string() })
      .nullable()
      .describe('When, by whom and why the completion was undone; null when it counts'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ReminderCompletion' })

/** Returns a completion as the response shows it. Its reading is hours of the meter, or landings. */
export function completionView(
  row: CompletionRow,
  files: z.input<typeof MaintenanceFile>[],
): z.input<typeof CompletionView> {
  return {
    id: row.id,
    doneAt: iso(row.done_at),
    reading: readingOf(row.reading_hundredths),
    readings: {
      hobbs: readingOf(row.hobbs_hundredths),
      tach: readingOf(row.tach_hundredths),
      landings: row.landings,
    },
    notes: row.notes,
    signedBy: signerView(
      row.signer_name === null ? null : { orgUserId: null, name: row.signer_name },
      row.signer_certificate_number,
    ),
    workOrder: row.work_order,
    files,
    satisfiedBy:
      row.satisfied_by_id === null ? null : { reminderId: row.satisfied_by_id, name: row.satisfied_by_name ?? '' },
    by: personView(row.membership_id, row.by_name),
    undone:
      row.undone_at === null || row.undone_by === null
        ? null
        : {
            at: iso(row.undone_at),
            by: personView(row.undone_by, row.undone_by_name ?? ''),
            reason: row.undone_because ?? '',
          },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns hundredths as a JSON number of hours or landings; null for null. */
export function readingOf(hundredths: Hundredths | null): number | null {
  return hundredths === null ? null : readingToNumber(hundredths)
}
