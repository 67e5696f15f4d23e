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

/** What happened, to which record, and when. */
export type DomainEvent = z.output<typeof event>

/** Tells everyone concerned by something that happened, each in their way. */
export const fanOut = defineJob({
  name: 'notifications.notify-concerned',
  queue: 'notifications',
  payload: event.extend({ causedBy: z.int().nullable() }),
})

/** Mails one person what happened: a member, or a guest who pays. */
export const mailNotification = defineJob({
  name: 'notifications.mail',
  queue: 'email',
  payload: event.extend({ orgUserId: z.int().nullable(), guestId: z.int().nullable() }),
})

/** Pushes what happened to devices of members, as many as the push service takes at a time. */
export const pushNotification = defineJob({
  name: 'notifications.push',
  queue: 'push',
  payload: event.extend({
    to: z.array(z.object({ orgUserId: z.int(), pushDeviceId: z.int() })).max(DEVICES_PER_PUSH),
  }),
})
