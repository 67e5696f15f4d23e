import { z } from 'zod'
import { fieldErrors } from '../field.errors.ts'
import { cents, inBasisPoints, inCents } from '../kernel/units.ts'
import { freeCategories, reservationTypes } from './rule-settings.ts'

/** What a late cancellation costs. Absent lists: all types, and all categories that may cost. */
const cancellationFee = z
  .object({
    underHours: z.int().min(1).max(720).describe('Hours before the start'),
    categories: z
      .array(z.string().regex(/^[a-z0-9_]{1,40}$/, fieldErrors.category()))
      .min(1)
      .max(50)
      .refine((named) => !named.some((one) => freeCategories.includes(one)), fieldErrors.costsNothing())
      .optional(),
    types: z
      .array(z.enum(reservationTypes).meta({ choices: 'ReservationType' }))
      .min(1)
      .max(reservationTypes.length)
      .optional(),
    kind: z.enum(['flat', 'share']).meta({ choices: 'CancellationFeeKind' }),
    cents: inCents(z.int().min(50).max(1_000_000)).optional(),
    bps: inBasisPoints(z.int().min(1).max(10_000)).optional().describe('Hundredths of a percent of the expected cost'),
  })
  .refine(({ kind, cents, bps }) => (kind === 'flat' ? cents : bps) !== undefined, fieldErrors.oneOfKind())
  .meta({ id: 'CancellationFee' })

/** The organization's settings of fees for cancellations, and of no-shows. */
export const feeSettings = {
  cancellationFees: z
    .array(cancellationFee)
    .max(10)
    .default([])
    .describe(
      'What a late cancellation costs: the entry with the fewest `underHours` that fits. Bookings keep their terms',
    ),
  feeMaxCents: inCents(z.int().min(50).max(1_000_000)).default(cents(30_000)).describe('The largest fee, in cents'),
  feeReviewHours: z.int().min(1).max(168).default(24).describe('Hours from a cancellation until its fee is charged'),
  noShowMinutes: z
    .int()
    .min(10)
    .max(240)
    .nullable()
    .default(null)
    .describe('When a booking that is not ramped out is cancelled. null: never'),
}
