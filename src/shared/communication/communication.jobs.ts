import { z } from 'zod'
import { DEVICES_PER_PUSH } from '../platform/adapters/push/push.port.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { notificationKinds } from './notifications/notification-kinds.types.ts'

/** Notifies the audience of an announcement at `publishAt`, unless that instant has changed since. */
export const publishAnnouncement = defineJob({
  name: 'announcements.publish',
  queue: 'notifications',
  payload: z.object({ organizationId: z.int(), announcementId: z.int(), publishAt: z.string() }),
})

/**
 * Creates the meeting of an approved booking request. The first attempts fall within the seconds that the approval
 * waits; the last comes about an hour later.
 */
export const createMeeting = defineJob({
  name: 'meeting.create',
  queue: 'meetings',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
  attempts: 13,
})

const event = z.object({
  organizationId: z.int(),
  kind: z.enum(notificationKinds),
  subjectId: z.int(),
  happenedAt: z.string(),
  /** The event of the log that it tells of; jobs of before and what no event tells of have none. */
  eventId: z.uuid().optional(),
  /** The one person whom it is for; those concerned when left out. */
  recipient: z.object({ orgUserId: z.int().nullable(), guestId: z.int().nullable() }).optional(),
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
