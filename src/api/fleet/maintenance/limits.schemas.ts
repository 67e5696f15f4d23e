import { z } from 'zod'
import { limitBases } from '../../../shared/fleet/maintenance/maintenance-item.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { hundredths } from '../../../shared/platform/kernel/units.ts'
import { MomentInput } from '../../http/moments.ts'
import { ReadingInput } from '../../http/reading-schemas.ts'
import { InstantInput } from '../../http/schemas.ts'

/** A reading of a maintenance item in a body: hours of a meter, or landings. */
export const MeterInput = ReadingInput.meta({ unit: 'Hours, as the meter shows them, or whole landings' })

/** A number of landings in a body. The parsed value is hundredths, like that of a meter. */
export const Landings = z
  .int()
  .min(0)
  .max(999_999)
  .transform((landings) => hundredths(landings * 100))
  .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999 }, unit: 'Landings' })

const Months = z.int().min(1).max(600)
const Hours = ReadingInput.refine((hundredths) => hundredths > 0, fieldErrors.moreThan({ minimum: 0 })).meta({
  unit: 'Hours',
})

const limitFields = {
  intervalMonths: Months.nullish().describe(
    'Calendar basis: the interval in months. It ends with the last day of the month',
  ),
  intervalDays: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .describe('Calendar basis: the interval in days, instead of `intervalMonths`'),
  intervalHours: Hours.nullish().describe('Meter or use basis: the interval'),
  intervalCount: z.int().min(1).max(100_000).nullish().describe('Landings basis: the interval, in landings'),
  usedHours: ReadingInput.meta({ unit: 'Hours' })
    .nullish()
    .describe(
      'Only with basis `use`: the hours of use since the work was last done, such as the hours that a locator transmitter was on ' +
        '(14 CFR 91.207(c)(1))',
    ),
  lastDoneAt: MomentInput.nullish().describe('When the work was last done, an instant or a local day'),
  lastDoneReading: MeterInput.nullish(),
  dueAt: InstantInput.nullish().describe(
    'Calendar basis: when the work is due. When left out, one interval after `lastDoneAt`, or after now',
  ),
  dueReading: MeterInput.nullish().describe(
    'The reading at which the work is due. When left out, one interval after `lastDoneReading`, or after the present reading',
  ),
}

/** The limits of a maintenance item in a body: the fields of a single limit, or a list. */
export const limitsOfItem = {
  ...limitFields,
  limits: z
    .array(z.object({ basis: z.enum(limitBases), ...limitFields }).meta({ id: 'ReminderLimit' }))
    .min(1)
    .max(limitBases.length)
    .optional()
    .describe(
      'Several limits, at most one per basis. The limit that is reached first counts. `limits` overrides the ' +
        'fields of a single limit beside it',
    ),
  carry: z
    .boolean()
    .optional()
    .describe(
      'Whether the next interval counts from the due reading when the work is done late, as for the 100-hour ' +
        'inspection (14 CFR 91.409(b)): due 1000.0, done 1004.0, next 1100.0',
    ),
}
