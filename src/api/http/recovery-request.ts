import { z } from 'zod'
import { instructorReaches, poolReaches } from '../../shared/scheduling/recoveries/recovery.types.ts'
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

/** Where a recovery looks for places. */
export const RecoveryReach = z
  .object({
    days: z.int().describe('Days before and after the day of a booking'),
    instructors: z.enum(instructorReaches),
    pools: z.enum(poolReaches),
  })
  .meta({ id: 'RecoveryReach' })

/** The request that plans other places for the bookings that a change displaces; a client sends it as it is. */
export const RecoveryRequest = z
  .object({
    method: z.literal('POST'),
    path: z.literal('/recoveries'),
    body: z.object({ cause: RecoveryCause, startDate: Instant, endDate: Instant, reach: RecoveryReach.optional() }),
  })
  .meta({ id: 'RecoveryRequest' })

/** The field of an answer; only desk staff have it, and only when a booking is displaced. */
export const suggestedRecovery = RecoveryRequest.optional().describe(
  'For desk staff, when bookings are displaced: the request that plans other places for them',
)
