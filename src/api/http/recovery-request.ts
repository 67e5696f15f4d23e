import { z } from 'zod'
import { Id, Instant } from './schemas.ts'

/** What takes the bookings of a recovery. */
export const RecoveryCause = z
  .object({
    resourceIds: z.array(Id).optional(),
    instructorOrgUserIds: z.array(Id).optional(),
    closureId: Id.optional(),
    reservationIds: z.array(Id).optional(),
  })
  .meta({ id: 'RecoveryCause' })

/** The request that plans other places for the bookings that a change displaces; a client sends it as it is. */
export const RecoveryRequest = z
  .object({
    method: z.literal('POST'),
    path: z.literal('/recoveries'),
    body: z.object({ cause: RecoveryCause, startDate: Instant, endDate: Instant }),
  })
  .meta({ id: 'RecoveryRequest' })

/** The field of an answer; only desk staff have it, and only when a booking is displaced. */
export const suggestedRecovery = RecoveryRequest.optional().describe(
  'For desk staff, when bookings are displaced: the request that plans other places for them',
)
