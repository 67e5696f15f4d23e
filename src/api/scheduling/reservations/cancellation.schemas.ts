import { z } from 'zod'
import { name, note } from '../../http/schemas.ts'
import { OverridesInput } from '../rules/overrides.schemas.ts'

/** Why bookings are cancelled. */
export const CancellationInput = z
  .object({
    reason: note(1000),
    category: name(40).describe('A key of `GET /reports/cancellations/categories`'),
  })
  .meta({ id: 'CancellationInput' })

/** What a cancellation of one booking and that of a series have in common. */
const ownCancellation = {
  ...CancellationInput.shape,
  forPayer: z.boolean().default(false).describe('The payer owes the fee; only for desk staff'),
}

export const CancelBody = z.object({
  ...ownCancellation,
  notify: z.boolean().default(true).describe('`false` notifies nobody; only for desk staff'),
  undo: z
    .boolean()
    .default(false)
    .describe(
      'Takes back what was agreed to in the caller’s name: a booking that it moved goes back, or 400 says why not',
    ),
})

export const CancelSeriesBody = z.object({
  ...ownCancellation,
  from: z
    .int()
    .min(1)
    .max(104)
    .optional()
    .describe('The index of the first booking to cancel. Default: the first that starts after now'),
})

export const RestoreBody = z.object({ overrides: OverridesInput }).prefault({})
