import { z } from 'zod'
import { replaceableMeters, squawkSeverities, squawkStatuses } from '../../../shared/fleet/fleet.tables.ts'
import { excludedOperations } from '../../../shared/fleet/maintenance/deferral.rules.ts'
import { limitBases, maintenanceStatuses } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { MAX_FILES, maintenanceScopes } from '../../../shared/fleet/resources/resource.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { hundredths } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import {
  DayInput,
  distinct,
  Id,
  InstantInput,
  name,
  note,
  oneLine,
  QueryIds,
  queryWords,
  ReadingInput,
  Reference,
  text,
} from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'

/** What an item counts by, in a body. */
const MeterInput = ReadingInput.meta({ unit: 'Hours, as the meter shows them, or landings' })

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
  status: z
    .enum(['open', 'in_progress', 'deferred'])
    .optional()
    .describe('Deferring releases the hold until the deferral ends; admins and technicians'),
  deferredUntil: DayInput.nullish().describe(
    'The last local day of a deferral; past, it holds the resource, whatever the severity, until it is resolved or deferred again',
  ),
  deferralReference: oneLine(200)
    .trim()
    .nullish()
    .describe('The item of the minimum equipment list, or the paragraph of 14 CFR 91.213(d)')
    .meta({ examples: ['91.213(d)(2)'] }),
  placarded: z.boolean().optional().describe('Marked “Inoperative” (14 CFR 91.213(d)(3))'),
  excludedOperations: z
    .array(z.enum(excludedOperations))
    .max(excludedOperations.length)
    .transform(distinct)
    .optional()
    .describe(
      'What the aircraft may not be used for while it is deferred: bookings of these are refused as grounded (14 CFR ' +
        '91.205, 91.213(d); `night_for_hire_or_instruction` for a landing light, 91.205(c)(4))',
    ),
})

export const SquawkFilesBody = z.object({
  label: oneLine(200)
    .trim()
    .nullish()
    .meta({ examples: ['Brake disc, left'] }),
  fileNames: z
    .array(FileName.meta({ examples: ['brake.jpg'] }))
    .min(1)
    .max(MAX_FILES),
})

export const ResolveBody = z.object({
  resolution: note(5000).meta({ examples: ['Brake caliper replaced'] }),
})

export const MaintenanceItemQuery = ListQuery.extend({
  resourceId: QueryIds.optional(),
  status: queryWords(maintenanceStatuses).optional(),
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
  intervalHours: Hours.nullish().describe('By a meter, or by use'),
  intervalCount: z
    .int()
    .min(1)
    .max(100_000)
    .nullish()
    .describe('By landings')
    .meta({ examples: [null] }),
  usedHours: ReadingInput.nullish()
    .describe('By use: the hours of use since it was done, as of a locator transmitter (14 CFR 91.207(c)(1))')
    .meta({ examples: [null] }),
  lastDoneAt: InstantInput.nullish(),
  lastDoneReading: MeterInput.nullish(),
  dueAt: InstantInput.nullish().describe('Calendar; counted from `lastDoneAt` (or now) and the interval when left out'),
  dueReading: MeterInput.nullish().describe(
    'Counted from `lastDoneReading` (or the present reading) and the interval when left out',
  ),
}

const fields = {
  ...limitFields,
  limits: z
    .array(z.object({ basis: z.enum(limitBases), ...limitFields }))
    .min(1)
    .max(limitBases.length)
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

const scoped = {
  scope: z
    .enum(maintenanceScopes)
    .optional()
    .describe(
      'The bookings that it holds when it is overdue and `grounding`: all; `for_hire_or_instruction` dual, guest, rental with ' +
        'an instructor, and solo of a student in a Part 141 course (14 CFR 91.409(b), 141.39(a)(3)); `ifr` those with `ifr` ' +
        '(91.411), with a warning on the others',
    ),
  satisfies: z
    .array(Id)
    .max(50)
    .optional()
    .describe('Reminders of the same resource that its completion completes: an annual counts as a 100-hour inspection')
    .meta({ examples: [[]] }),
}

export const MaintenanceItemBody = z.object({
  resource: Reference,
  name: Name,
  basis: z.enum(limitBases).optional().describe('Of its one limit; left out with `limits`'),
  ...fields,
  ...scoped,
  warnDays: z.int().min(0).max(3650).default(30),
  warnHours: ReadingInput.default(hundredths(1000))
    .describe('Hours of a meter, or landings')
    .meta({ override: { type: 'number', minimum: 0, default: 10 } }),
  grounding: z.boolean().default(false).describe('Overdue, it holds the resource'),
})

export const MaintenanceItemPatch = z.object({
  name: Name.optional(),
  ...fields,
  ...scoped,
  warnDays: z.int().min(0).max(3650).optional(),
  warnHours: ReadingInput.optional().meta({ examples: [10] }),
  grounding: z.boolean().optional(),
})

export const ForecastQuery = z.object({ resourceId: QueryIds.optional() })

export const MeterChangeBody = z.object({
  meter: z.enum(replaceableMeters),
  oldReading: ReadingInput.describe('What the old meter read last: at least what the aircraft reads'),
  newReading: ReadingInput.meta({ examples: [0] }),
  reason: note(1000).meta({ examples: ['Tachometer replaced after it stuck'] }),
})

export const CopyBody = z.object({
  fromResourceId: Id,
  toResourceIds: z.array(Id).min(1).max(50).transform(distinct),
})

export const CompleteBody = z
  .object({
    doneAt: InstantInput.nullish().describe('Now when left out'),
    reading: MeterInput.nullish().describe('Of the meter that it counts by; the present one when left out'),
    readings: z
      .object({ hobbs: ReadingInput, tach: ReadingInput, landings: ReadingInput.meta({ unit: 'Landings' }) })
      .partial()
      .optional()
      .describe('Where it counts by several; the present ones when left out')
      .meta({ examples: [{ hobbs: 1234.5, tach: 1100 }] }),
    notes: text(5000).trim().nullish(),
    signedBy: z
      .object({
        name: name(200).meta({ examples: ['Tom Becker'] }),
        certificateNumber: name(40).meta({ examples: ['3141592'] }),
      })
      .nullish()
      .describe('Who approved the return to service (14 CFR 43.9, 43.11)'),
    files: z
      .array(FileName.meta({ examples: ['annual.pdf'] }))
      .max(MAX_FILES)
      .optional()
      .describe('Papers to upload: `signedUrlData` answers a signed upload for each')
      .meta({ examples: [[]] }),
    inspectedSquawkIds: z
      .array(Id)
      .max(200)
      .optional()
      .describe('The deferred squawks that were inspected and stay deferred (14 CFR 91.405(c))')
      .meta({ examples: [[]] }),
    workOrder: name(100)
      .nullish()
      .meta({ examples: ['WO-2026-118'] }),
  })
  .optional()
