import { z } from 'zod'
import { notificationKinds } from '../../../shared/communication/notifications/notification-kinds.types.ts'
import { preferredKinds } from '../../../shared/communication/notifications/preferences.rules.ts'
import { ListQuery } from '../../http/lists.ts'
import { oneLine, PathId } from '../../http/schemas.ts'

export const NotificationQuery = ListQuery.extend({
  q: oneLine(200).trim().optional().describe('In the title or the body'),
  status: z.enum(['unread', 'read', 'all']).default('all'),
})

export const NotificationParams = z.object({ notificationId: PathId })

export const Kind = z.enum(notificationKinds)

export const PreferencesBody = z.object({
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
    .meta({ examples: [[{ kind: 'reservation_upcoming', push: true, email: false }]] }),
})
