import { z } from 'zod'
import { squawkSeverities, squawkStatuses } from '../../../shared/fleet/maintenance/maintenance.entity.ts'
import { reminderBases, reminderStatuses } from '../../../shared/fleet/maintenance/reminder.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { hundredths } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import {
  Id,
  InstantInput,
  name,
  note,
  QueryIds,
  queryWords,
  ReadingInput,
  Reference,
  text,
} from '../../http/schemas.ts'

const Title = name(200).meta({ examples: ['Left brake drags'] })
const Description = text(5000).trim()

export const SquawkQuery = ListQuery.extend({
  resourceId: QueryIds.optional(),
  status: queryWords(squawkStatuses).optional(),
})

export const SquawkBody = z.object({
  resource: Reference,
  title: Title,
  description: Description.nullish(),
  severity: z.enum(squawkSeverities).default('observation').describe('`grounding` holds the resource while open'),
  reservationId: Id.nullish().describe('The booking on which it was noticed'),
})

export const SquawkPatch = z.object({
  title: Title.optional(),
  description: Description.nullable().optional(),
  severity: z.enum(squawkSeverities).optional(),
  status: z.enum(['open', 'deferred']).optional().describe('Deferring releases the hold; admins and technicians'),
})

export const ResolveBody = z.object({
  resolution: note(5000).meta({ examples: ['Brake caliper replaced'] }),
})

export const ReminderQuery = ListQuery.extend({
  resourceId: QueryIds.optional(),
  status: queryWords(reminderStatuses).optional(),
})

const Name = name(200).meta({ examples: ['100-hour inspection'] })
const Months = z
  .int()
  .min(1)
  .max(600)
  .meta({ examples: [12] })
const Hours = ReadingInput.refine((hundredths) => hundredths > 0, fieldErrors.moreThan({ least: 0 })).meta({
  examples: [100],
})

const fields = {
  intervalMonths: Months.nullish().describe('Calendar: to the end of the last day of the month so many months on'),
  intervalHours: Hours.nullish().describe('By a meter'),
  lastDoneAt: InstantInput.nullish(),
  lastDoneReading: ReadingInput.nullish(),
  dueAt: InstantInput.nullish().describe('Calendar; counted from `lastDoneAt` (or now) and the interval when left out'),
  dueReading: ReadingInput.nullish().describe(
    'By a meter; counted from `lastDoneReading` (or the present reading) and the interval when left out',
  ),
}

export const ReminderBody = z.object({
  resource: Reference,
  name: Name,
  basis: z.enum(reminderBases),
  ...fields,
  warnDays: z.int().min(0).max(3650).default(30),
  warnHours: ReadingInput.default(hundredths(1000)).meta({ override: { type: 'number', minimum: 0, default: 10 } }),
  grounding: z.boolean().default(false).describe('Overdue, it holds the resource'),
})

export const ReminderPatch = z.object({
  name: Name.optional(),
  ...fields,
  warnDays: z.int().min(0).max(3650).optional(),
  warnHours: ReadingInput.optional().meta({ examples: [10] }),
  grounding: z.boolean().optional(),
})

export const CompleteBody = z
  .object({
    doneAt: InstantInput.nullish().describe('Now when left out'),
    reading: ReadingInput.nullish().describe('Of the meter that it counts by; the present one when left out'),
    notes: text(5000).trim().nullish(),
  })
  .optional()
