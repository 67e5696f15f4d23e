import { z } from 'zod'
import { notificationKinds } from '../../../shared/communication/notifications/notification-kinds.rules.ts'
import { preferredKinds } from '../../../shared/communication/notifications/preferences.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { ListQuery } from '../../http/lists.ts'
import { distinct, Id, oneLine, PathId, queryWords } from '../../http/schemas.ts'

export const NotificationQuery = ListQuery.extend({
  q: oneLine(200).trim().optional().describe('Only notifications with this text in their title or body'),
  status: queryWords(['unread', 'read', 'all']).default(['all']),
})

export const NotificationParams = z.object({ notificationId: PathId })

export const Kind = z.enum(notificationKinds)

export const PreferencesBody = z
  .object({
    preferences: z
      .array(
        z.object({
          kind: z.enum(preferredKinds).meta({ choices: 'PreferredNotificationKind' }),
          inApp: z.boolean().optional(),
          push: z.boolean().optional(),
          email: z.boolean().optional(),
        }),
      )
      .max(100)
      .describe('The kinds to change. Absent kinds and channels stay as they are')
      .optional(),
    locationIds: z
      .array(Id)
      .max(500)
      .transform(distinct)
      .optional()
      .describe(
        'For staff: the locations whose events (groundings, returns to service, squawks and cancellations) notify ' +
          'the caller; empty: all',
      ),
  })
  .refine(({ preferences, locationIds }) => preferences !== undefined || locationIds !== undefined, {
    path: ['preferences'],
    message: fieldErrors.required(),
  })

/** The fields beside the preferences. */
export const notifiedLocations = {
  locationIds: z.array(Id).describe('The locations whose events notify the caller as staff; empty: all'),
}
