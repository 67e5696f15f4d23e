import { z } from 'zod'
import { replaceableMeters, squawkSeverities, squawkStatuses } from '../../../shared/fleet/fleet.tables.ts'
import { excludedOperations } from '../../../shared/fleet/maintenance/deferral.rules.ts'
import { limitBases, maintenanceStatuses } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { maintenanceKinds } from '../../../shared/fleet/maintenance/maintenance-kind.rules.ts'
import { MAX_FILES, maintenanceScopes } from '../../../shared/fleet/resources/resource.rules.ts'
import { hundredths } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import { MomentInput } from '../../http/moments.ts'
import { ReadingInput } from '../../http/reading-schemas.ts'
import {
  DayInput,
  distinct,
  Id,
  name,
  note,
  oneLine,
  QueryIds,
  queryWords,
  Reference,
  text,
} from '../../http/schemas.ts'
import { FileName } from '../../platform/storage/signed-files.ts'
import { Landings, limitsOfItem, MeterInput } from './limits.schemas.ts'

const Title = name(200)
const Description = text(5000).trim()

export const SquawkQuery = ListQuery.extend({
  resourceId: QueryIds.optional(),
  status: queryWords(squawkStatuses).optional(),
})

export const SquawkBody = z.object({
  resource: Reference,
  title: Title,
  description: Description.nullish(),
  severity: z
    .enum(squawkSeverities)
    .default('observation')
    .describe('An open `grounding` squawk holds the resource: only maintenance can be booked'),
  reservationId: Id.nullish().describe('The booking on which the defect was noticed'),
})

export const SquawkPatch = z.object({
  title: Title.optional(),
  description: Description.nullable().optional(),
  severity: z.enum(squawkSeverities).optional(),
  status: z
    .enum(['open', 'in_progress', 'deferred'])
    .optional()
    .describe(
      'Only admins and technicians can defer a squawk. It then no longer holds the resource until the deferral ends',
    ),
  deferredUntil: DayInput.nullish().describe(
    'The last local day of the deferral. After it the squawk holds the resource, whatever its severity is, until ' +
      'it is resolved or deferred again. null: no end',
  ),
  deferralReference: oneLine(200)
    .trim()
    .nullish()
    .describe('The item of the minimum equipment list, or the paragraph of 14 CFR 91.213(d)'),
  placarded: z.boolean().optional().describe('Whether the item is marked “Inoperative” (14 CFR 91.213(d)(3))'),
  excludedOperations: z
    .array(z.enum(excludedOperations))
    .max(excludedOperations.length)
    .transform(distinct)
    .optional()
    .describe(
      'The use for which the aircraft is not available during the deferral. Such bookings are refused as grounded ' +
        '(14 CFR 91.205, 91.213(d)). For a landing light, choose `night_for_hire_or_instruction` (91.205(c)(4))',
    ),
})

export const SquawkFilesBody = z.object({
  label: oneLine(200).trim().nullish(),
  fileNames: z.array(FileName).min(1).max(MAX_FILES),
})

export const ResolveBody = z.object({
  resolution: note(5000),
})

export const MaintenanceItemQuery = ListQuery.extend({
  resourceId: QueryIds.optional(),
  status: queryWords(maintenanceStatuses).optional(),
})

const Name = name(200)
const scoped = {
  scope: z
    .enum(maintenanceScopes)
    .optional()
    .describe(
      'The bookings that are refused when a reminder with `grounding` is overdue. `all`: all bookings. ' +
        '`for_hire_or_instruction`: dual, guest, rental with an instructor, and solo of a student in a Part 141 ' +
        'course (14 CFR 91.409(b), 141.39(a)(3)). `ifr`: bookings with `ifr` (91.411); others get a warning',
    ),
  satisfies: z
    .array(Id)
    .max(50)
    .optional()
    .describe(
      'Ids of reminders of the same resource that are completed together with this one. For example, an annual ' +
        'inspection also completes the 100-hour inspection',
    ),
}

const confirms = '`true` confirms readings that do not fit those of the aircraft or of the last completion'

export const MaintenanceItemBody = z.object({
  resource: Reference,
  name: Name,
  kind: z.enum(maintenanceKinds).optional().describe('Default: by the words in its name'),
  basis: z.enum(limitBases).optional().describe('The basis of the only limit. Leave it out with `limits`'),
  ...limitsOfItem,
  ...scoped,
  warnDays: z
    .int()
    .min(0)
    .max(3650)
    .default(30)
    .describe('How many days before the due date the status becomes `due_soon`'),
  warnHours: ReadingInput.default(hundredths(1000))
    .describe(
      'How long before the due reading the status becomes `due_soon`: in hours or, on the landings basis, in landings',
    )
    .meta({ override: { type: 'number', minimum: 0, default: 10 } }),
  grounding: z.boolean().default(false).describe('Whether the reminder holds the resource when it is overdue'),
  confirmMeterAnomaly: z.boolean().default(false).describe(confirms),
})

export const MaintenanceItemPatch = z.object({
  name: Name.optional(),
  kind: z.enum(maintenanceKinds).optional(),
  ...limitsOfItem,
  ...scoped,
  warnDays: z.int().min(0).max(3650).optional(),
  warnHours: ReadingInput.optional()
    .describe(
      'How long before the due reading the status becomes `due_soon`: in hours or, on the landings basis, in landings',
    )
    .meta({ unit: 'Hours' }),
  grounding: z.boolean().optional(),
  confirmMeterAnomaly: z.boolean().optional().describe(confirms),
})

export const ForecastQuery = z.object({ resourceId: QueryIds.optional() })

export const MeterChangeBody = z.object({
  meter: z.enum(replaceableMeters),
  oldReading: ReadingInput.describe('The last reading of the old meter. At least the present reading of the aircraft'),
  newReading: ReadingInput,
  reason: note(1000),
})

export const CopyBody = z.object({
  fromResourceId: Id,
  toResourceIds: z.array(Id).min(1).max(50).transform(distinct),
})

export const CompleteBody = z
  .object({
    doneAt: MomentInput.nullish().describe('When the work was done, an instant or a local day. Default: now'),
    reading: MeterInput.nullish().describe('The reading of the only meter of the reminder. Default: the present one'),
    readings: z
      .object({ hobbs: ReadingInput, tach: ReadingInput, landings: Landings })
      .partial()
      .optional()
      .describe('The readings for a reminder with several meters. Default: the present ones'),
    notes: text(5000).trim().nullish(),
    signedBy: z
      .object({
        name: name(200),
        certificateNumber: name(40),
      })
      .nullish()
      .describe('The person who approved the return to service (14 CFR 43.9, 43.11)'),
    files: z
      .array(FileName)
      .max(MAX_FILES)
      .optional()
      .describe('The names of files to upload. `signedUrlData` returns a signed upload for each'),
    inspectedSquawkIds: z
      .array(Id)
      .max(200)
      .optional()
      .describe('Ids of deferred squawks that were inspected and stay deferred (14 CFR 91.405(c))'),
    workOrder: name(100).nullish(),
    confirmMeterAnomaly: z
      .boolean()
      .default(false)
      .describe(
        '`true` confirms a reading that is more than 0.1 above that of the aircraft, or below that of the last completion; ' +
          'it is refused otherwise',
      ),
  })
  .optional()

export const UndoBody = z.object({ reason: note(1000) })
