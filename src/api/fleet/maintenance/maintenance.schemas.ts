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

const limitFields = {
  intervalMonths: Months.nullish().describe('Calendar: to the end of the last day of the month so many months on'),
  intervalDays: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe('Calendar, in place of months: to the end of the day so many days on')
    .meta({ examples: [null] }),
  intervalHours: Hours.nullish().describe('By a meter'),
  intervalCount: z
    .int()
    .min(1)
    .max(100_000)
    .nullish()
    .describe('By landings')
    .meta({ examples: [null] }),
  lastDoneAt: InstantInput.nullish(),
  lastDoneReading: ReadingInput.nullish(),
  dueAt: InstantInput.nullish().describe('Calendar; counted from `lastDoneAt` (or now) and the interval when left out'),
  dueReading: ReadingInput.nullish().describe(
    'By a meter, or a number of landings; counted from `lastDoneReading` (or the present reading) and the interval when left out',
  ),
}

const fields = {
  ...limitFields,
  limits: z
    .array(z.object({ basis: z.enum(reminderBases), ...limitFields }))
    .min(1)
    .max(reminderBases.length)
    .optional()
    .describe(
      'Several limits, one of each basis; the first reached counts. They win over the fields of one beside them',
    )
    .meta({
      examples: [
        [
          { basis: 'tach', intervalHours: 50 },
          { basis: 'calendar', intervalMonths: 4 },
        ],
      ],
    }),
  carry: z
    .boolean()
    .optional()
    .describe(
      'Done late by a meter, the next interval counts from the due reading, as the 100-hour inspection does (14 CFR ' +
        '91.409(b)): due 1000.0, done 1004.0, next 1100.0',
    ),
}

export const ReminderBody = z.object({
  resource: Reference,
  name: Name,
  basis: z.enum(reminderBases).optional().describe('Of its one limit; left out with `limits`'),
  ...fields,
  warnDays: z.int().min(0).max(3650).default(30),
  warnHours: ReadingInput.default(hundredths(1000))
    .describe('Hours of a meter, or landings')
    .meta({ override: { type: 'number', minimum: 0, default: 10 } }),
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
    readings: z
      .object({ hobbs: ReadingInput, tach: ReadingInput, landings: ReadingInput })
      .partial()
      .optional()
      .describe('Where it counts by several; the present ones when left out')
      .meta({ examples: [{ hobbs: 1234.5, tach: 1100 }] }),
    notes: text(5000).trim().nullish(),
  })
  .optional()
