import { z } from 'zod'
import { seatSides } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** Who has signed the review of a flight, who has yet to, and whom its invoices wait for. */
export const Review = z
  .object({
    needs: z.array(z.enum(seatSides)).describe('The sides that have yet to sign'),
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
          until: Instant.nullable().describe('When the flight is invoiced anyway; null until the mail is sent'),
        }),
      )
      .describe(
        'Payers of a signed-off flight who have not signed it and would be charged: it is invoiced when they sign with ' +
          '`confirmReview`, or 24 hours after a mail to them. Readers who are not staff see only themselves',
      ),
  })
  .meta({ id: 'Review' })
