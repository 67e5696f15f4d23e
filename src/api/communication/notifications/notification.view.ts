import { z } from 'zod'
import type { NotificationRow } from '../../../shared/communication/notifications/notification.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { Kind } from './notifications.schemas.ts'

const PartChange = z.object({
  field: z.string().meta({ examples: ['resourceId'] }),
  before: z.unknown(),
  after: z.unknown(),
})

export const Notification = z
  .object({
    id: Id,
    kind: Kind,
    title: z.string().meta({ examples: ['New booking: First solo'] }),
    body: z.string().meta({ examples: ['Tue, Nov 24, 2026, 10:00–12:00 EST · N512FL · Ana Ruiz, Ben Cole'] }),
    data: z
      .record(z.string(), z.union([z.int(), z.array(z.int()), z.array(PartChange)]))
      .describe('The ids of the records that it is about; for a changed booking, `changes` lists the changed fields')
      .meta({ examples: [{ reservationId: 12 }] }),
    readAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Notification' })

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

/** A member's channels for one kind. */
export const Preference = z
  .object({ kind: Kind, inApp: z.boolean(), push: z.boolean(), email: z.boolean() })
  .meta({ id: 'NotificationPreference' })

/** A device that receives push messages. */
export const PushDevice = z.object({ id: Id }).meta({ id: 'PushDevice' })
