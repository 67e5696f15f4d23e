import { z } from 'zod'
import { DEVICES_PER_PUSH } from '../platform/adapters/push/push.port.ts'
import { defineJob } from '../platform/contracts/define-job.ts'
import { notificationKinds } from './notifications/notification-kinds.rules.ts'

/**
 * Notifies the audience of an announcement at `publishAt`, unless `publishAt` was changed after the job was enqueued.
 */
export const publishAnnouncement = defineJob({
  name: 'announcements.publish-announcement',
  queue: 'notifications',
  payload: z.object({ organizationId: z.int(), announcementId: z.int(), publishAt: z.string() }),
})

/**
 * Creates the meeting of an approved booking request. The first attempts run while the approval waits some seconds for
 * the meeting; the last one runs about an hour later.
 */
export const createMeeting = defineJob({
  name: 'meetings.create-meeting',
  queue: 'meetings',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
  attempts: 13,
})

const event = z.object({
  organizationId: z.int(),
  kind: z.enum(notificationKinds),
  subjectId: z.int(),
  happenedAt: z.string(),
  /** The event that caused the notification. Absent when no event did. */
  eventId: z.uuid().optional(),
  /** The only person to notify. When absent, everyone whom the notification concerns is notified. */
  recipient: z.object({ orgUserId: z.int().nullable(), guestId: z.int().nullable() }).optional(),
  /** Set when a daily limit leaves out further notifications of this kind. */
  isLast: z.literal(true).optional(),
})

/** A domain event: what happened, to which record, and when (ISO 8601). */
export type DomainEvent = z.output<typeof event>

/** Delivers the notification of a domain event to its audience. */
export const fanOutNotification = defineJob({
  name: 'notifications.fan-out-notification',
  queue: 'notifications',
  atOnce: true,
  payload: event.extend({ causedBy: z.int().nullable() }),
})

/** Mails the notification of a domain event to one member or guest. */
export const mailNotification = defineJob({
  name: 'notifications.mail-notification',
  queue: 'email',
  payload: event.extend({
    orgUserId: z.int().nullable(),
    guestId: z.int().nullable(),
    /**
     * The orgUserId of the student or renter who caused it, whose mails have a budget of their own. Absent when nobody or
     * somebody of the staff did, and in jobs that earlier versions enqueued.
     */
    byMember: z.int().optional(),
  }),
})

/**
 * Pushes the notification of a domain event to members' devices, up to the number of devices that the push service
 * accepts in one call.
 */
export const pushNotification = defineJob({
  name: 'notifications.push-notification',
  queue: 'push',
  payload: event.extend({
    to: z.array(z.object({ orgUserId: z.int(), pushDeviceId: z.int() })).max(DEVICES_PER_PUSH),
  }),
})
