import { z } from 'zod'
import { type CompletionRow, dueOf, type ReminderRow } from '../../../shared/fleet/maintenance/reminder.queries.ts'
import { reminderBases, reminderStatus, reminderStatuses } from '../../../shared/fleet/maintenance/reminder.rules.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../../shared/platform/kernel/units.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant, Person, Reading } from '../../http/schemas.ts'

export const Reminder = z
  .object({
    id: Id,
    resource: z.object({ id: Id, name: z.string().meta({ examples: ['N172FL'] }) }),
    name: z.string().meta({ examples: ['100-hour inspection'] }),
    basis: z.enum(reminderBases),
    intervalMonths: z.int().nullable(),
    intervalHours: Reading.nullable().meta({ examples: [100] }),
    lastDoneAt: Instant.nullable(),
    lastDoneReading: Reading.nullable(),
    dueAt: Instant.nullable(),
    dueReading: Reading.nullable(),
    warnDays: z.int().meta({ examples: [30] }),
    warnHours: Reading.meta({ examples: [10] }),
    grounding: z.boolean(),
    status: z
      .enum(reminderStatuses)
      .describe('By the calendar overdue after `dueAt`; by a meter once it reaches `dueReading`'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Reminder' })

/** Returns a maintenance item with its status at an instant; readings are hours. */
export function reminderView(row: ReminderRow, now: Date): z.input<typeof Reminder> {
  const meters = { hobbs: row.hobbs_hundredths, tach: row.tach_hundredths }
  return {
    id: row.id,
    resource: { id: row.resource_id, name: row.resource_name },
    name: row.name,
    basis: row.basis,
    intervalMonths: row.interval_months,
    intervalHours: reading(row.interval_hundredths),
    lastDoneAt: iso(row.last_done_at),
    lastDoneReading: reading(row.last_done_hundredths),
    dueAt: iso(row.due_at),
    dueReading: reading(row.due_hundredths),
    warnDays: row.warn_days,
    warnHours: readingToNumber(row.warn_hundredths),
    grounding: row.grounding,
    status: reminderStatus(dueOf(row), { now, meters }),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** One completion of a maintenance item. */
export const CompletionView = z
  .object({
    id: Id,
    doneAt: Instant,
    reading: Reading.nullable(),
    notes: z.string().nullable(),
    by: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ReminderCompletion' })

/** Returns a completion as the response shows it; the reading is hours. */
export function completionView(row: CompletionRow): z.input<typeof CompletionView> {
  return {
    id: row.id,
    doneAt: iso(row.done_at),
    reading: reading(row.reading_hundredths),
    notes: row.notes,
    by: { orgUserId: row.membership_id, name: row.by_name },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

function reading(hundredths: Hundredths | null): number | null {
  return hundredths === null ? null : readingToNumber(hundredths)
}
