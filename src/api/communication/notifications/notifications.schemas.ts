import { z } from 'zod'
import { notificationKinds } from '../../../shared/communication/notifications/notification-kinds.types.ts'
import { preferredKinds } from '../../../shared/communication/notifications/preferences.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { ListQuery } from '../../http/lists.ts'
import { distinct, Id, oneLine, PathId } from '../../http/schemas.ts'

export const NotificationQuery = ListQuery.extend({
  q: oneLine(200).trim().optional().describe('In the title or the body'),
  status: z.enum(['unread', 'read', 'all']).default('all'),
})

export const NotificationParams = z.object({ notificationId: PathId })

export const Kind = z.enum(notificationKinds)

export const PreferencesBody = z
  .object({
    preferences: z
      .array(
        z.object({
          kind: z.enum(preferredKinds),
          inApp: z.boolean().optional(),
          push: z.boolean().optional(),
          email: z.boolean().optional(),
        }),
      )
      .max(100)
      .describe('The kinds to change; kinds and ways left out stay')
      .optional()
      .meta({ examples: [[{ kind: 'reservation_upcoming', push: true, email: false }]] }),
    locationIds: z
      .array(Id)
      .max(500)
      .transform(distinct)
      .optional()
      .describe(
        'As staff: the locations of whose groundings, returns, squawks and cancellations one is notified; empty: all',
      )
      .meta({ examples: [[]] }),
  })
  .refine(({ preferences, locationIds }) => preferences !== undefined || locationIds !== undefined, {
    path: ['preferences'],
    message: fieldErrors.required(),
  })

/** What stands beside the preferences. */
export const notifiedLocations = {
  locationIds: z
    .array(Id)
    .describe('The locations of which one is notified as staff; empty: all')
    .meta({ examples: [[]] }),
}
