import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import {
  instructorReaches,
  poolReaches,
  recoveryStatuses,
} from '../../../shared/scheduling/recoveries/recovery.types.ts'
import { ListQuery } from '../../http/lists.ts'
import { Id, queryWords } from '../../http/schemas.ts'
import { requiredWindow } from '../../http/windows.ts'

const MOST_IDS = 200

const Ids = z.array(Id).min(1).max(MOST_IDS)

const causes = {
  resourceIds: Ids.optional().describe('Resources that cannot be used in the window'),
  instructorOrgUserIds: Ids.optional().describe('Instructors who are away in the window'),
  closureId: Id.optional().describe('A closure; its own times count, not the window'),
  reservationIds: Ids.optional().describe('Bookings that need another place; the window does not matter'),
}

export const RecoveryReachInput = z
  .object({
    days: z.int().min(0).max(14).default(3).describe('How many days before and after its own day a booking may move'),
    instructors: z
      .enum(instructorReaches)
      .default('own')
      .describe('`course`: those who teach the course too; `any`: all'),
    pools: z
      .enum(poolReaches)
      .default('model')
      .describe(
        '`same`: aircraft of its pool; `model`: also of its make and model; `approved`: all that the rules accept',
      ),
  })
  .meta({ id: 'RecoveryReachInput' })

export const RecoveryBody = z.object({
  cause: z
    .object(causes)
    .refine((cause) => Object.values(cause).some((one) => one !== undefined), {
      message: fieldErrors.needs({ choices: Object.keys(causes).join(', ') }),
    })
    .describe(
      'Displaces the future bookings, except maintenance, that it names: by themselves, by their closure or, in the window, by ' +
        'their resource or instructor. A resource that is grounded, or has a deferral that forbids some of them, displaces only those',
    ),
  ...requiredWindow,
  reach: RecoveryReachInput.prefault({}),
})

export const RecoveryQuery = ListQuery.extend({ status: queryWords(recoveryStatuses).optional() })
