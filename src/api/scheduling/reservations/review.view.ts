import { z } from 'zod'
import { seatSides } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { Id, Instant } from '../../http/schemas.ts'

/**
 * The review of a flight: its signatures, the sides that have not signed, and the payers for whom its invoices wait.
 */
export const Review = z
  .object({
    needs: z.array(z.enum(seatSides).meta({ choices: 'PersonnelSide' })).describe('The sides that have not signed yet'),
    confirmations: z.array(
      z.object({
        orgUserId: Id,
        side: z.enum(seatSides),
        confirmedAt: Instant,
        onBehalf: z.boolean().describe('`true` when desk staff signed for a member without an account'),
      }),
    ),
    signedOffAt: Instant.nullable(),
    waitsFor: z
      .array(
        z.object({
          orgUserId: Id,
          until: Instant.nullable().describe(
            'When the flight is invoiced without this payer’s signature; null until the mail is sent',
          ),
        }),
      )
      .describe(
        'The payers who would be charged for a signed-off flight but have not signed it. It is invoiced when they ' +
          'sign with `confirmReview`, or 24 hours after a mail to them. Readers who are not staff see only ' +
          'themselves',
      ),
  })
  .meta({ id: 'Review' })
