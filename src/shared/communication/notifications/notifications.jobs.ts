import { z } from 'zod'
import { DEVICES_PER_PUSH } from '../../platform/adapters/push/push.port.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { notificationKinds } from './kinds.ts'

const event = z.object({
  organizationId: z.int(),
  kind: z.enum(notificationKinds),
  subjectId: z.int(),
  happenedAt: z.string(),
})

/** A domain event: what happened, to which record, and when (ISO 8601). */
export type DomainEvent = z.output<typeof event>

/** Delivers the notification of a domain event to its audience. */
export const fanOut = defineJob({
  name: 'notifications.notify-concerned',
  queue: 'notifications',
  payload: event.extend({ causedBy: z.int().nullable() }),
})

/** Mails the notification of a domain event to one member or guest. */
export const mailNotification = defineJob({
  name: 'notifications.mail',
  queue: 'email',
  payload: event.extend({ orgUserId: z.int().nullable(), guestId: z.int().nullable() }),
})

/**
 * Pushes the notification of a domain event to members' devices, at most as many as the push service accepts at once.
 */
export const pushNotification = defineJob({
  name: 'notifications.push',
  queue: 'push',
  payload: event.extend({
    to: z.array(z.object({ orgUserId: z.int(), pushDeviceId: z.int() })).max(DEVICES_PER_PUSH),
  }),
})
