import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'
import { raisedKinds } from './kinds.ts'

const happening = z.object({
  organizationId: z.int(),
  kind: z.enum(raisedKinds),
  subjectId: z.int(),
  happenedAt: z.string(),
})

/** What happened, to which record, and when. */
export type HappeningPayload = z.output<typeof happening>

/** Tells everyone concerned by something that happened, each in their way. */
export const notifyConcerned = defineJob({
  name: 'notifications.notify-concerned',
  queue: 'notifications',
  payload: happening.extend({ causedBy: z.int().nullable() }),
})

/** Mails one person what happened: a member, or a guest who pays. */
export const mailNotification = defineJob({
  name: 'notifications.mail',
  queue: 'email',
  payload: happening.extend({ orgUserId: z.int().nullable(), guestId: z.int().nullable() }),
})

/** Pushes what happened to one device of a member. */
export const pushNotification = defineJob({
  name: 'notifications.push',
  queue: 'push',
  payload: happening.extend({ orgUserId: z.int(), pushDeviceId: z.int() }),
})
