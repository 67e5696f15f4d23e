import { z } from 'zod'
import type { NotificationRow } from '../../../shared/communication/notifications/notification.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { Kind } from './notifications.schemas.ts'

const PartChange = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

export const Notification = z
  .object({
    id: Id,
    kind: Kind,
    title: z.string(),
    body: z.string(),
    data: z
      .record(z.string(), z.union([z.int(), z.array(z.int()), z.array(PartChange), z.literal(true)]))
      .describe(
        'The ids of the records that the notification is about. For a changed booking, `changes` lists the changed ' +
          'fields; `restored` is true for a booking that was restored after its cancellation',
      ),
    readAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'MemberNotification' })

export function notificationView(row: NotificationRow): z.input<typeof Notification> {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    body: row.body,
    data: row.data as z.input<typeof Notification>['data'],
    readAt: iso(row.read_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** The channels by which a member gets one kind of notification. */
export const Preference = z
  .object({ kind: Kind, inApp: z.boolean(), push: z.boolean(), email: z.boolean() })
  .meta({ id: 'NotificationPreference' })

/** A device that receives push messages. */
export const PushDevice = z.object({ id: Id }).meta({ id: 'PushDevice' })
