import { z } from 'zod'
import { frequencies } from '../../../shared/scheduling/rules/recurrence.rules.ts'
import { InstantInput } from '../../http/schemas.ts'

/** How bookings or closures repeat. */
export const RecurrenceInput = z
  .object({
    frequency: z.enum(frequencies),
    interval: z
      .int()
      .min(1)
      .max(366)
      .default(1)
      .describe('The series repeats every `interval` days, weeks or months (as `frequency` says)'),
    daysOfWeek: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .optional()
      .describe('1 is Monday, 7 is Sunday; only for weekly series'),
    count: z.int().min(2).max(104).optional(),
    until: InstantInput.optional().describe('The latest possible start. Give exactly one of `count` and `until`'),
  })
  .meta({ id: 'Recurrence' })

/** How bookings repeat, and what becomes of those that the rules refuse. */
export const BookingRecurrence = RecurrenceInput.extend({
  onConflict: z
    .enum(['refuse', 'skip'])
    .default('refuse')
    .describe(
      '`refuse`: all bookings of the series are made, or none. `skip`: those that the rules refuse are left out and ' +
        'answered as `skipped`; at least one must be made',
    ),
}).meta({ id: 'BookingRecurrence' })
