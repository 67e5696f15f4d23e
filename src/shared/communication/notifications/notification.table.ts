import { defineEntity, p } from '@mikro-orm/core'
import { instant, record, tenantRecord } from '../../platform/db/columns.ts'
import { notificationKinds } from './notification-kinds.types.ts'
import type { MessageData } from './templates/message.rules.ts'

/* Kysely writes these tables; the ORM only declares their columns. */

/**
 * An in-app notification of one member. `dedupeKey` identifies the notification, so that a repeated job writes it once.
 */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    kind: p.enum(notificationKinds),
    title: p.text(),
    body: p.text(),
    data: p.json<MessageData>(),
    dedupeKey: p.text(),
    readAt: instant().nullable(),
  },
})

/** A member's channels for one kind. The defaults apply without a row. */
export const NotificationPreference = defineEntity({
  name: 'NotificationPreference',
  tableName: 'notification_preference',
  properties: {
    ...tenantRecord,
    membershipId: p.integer(),
    kind: p.enum(notificationKinds),
    inApp: p.boolean(),
    push: p.boolean(),
    email: p.boolean(),
  },
})

/** How many mails went on a day to addresses that never confirmed anything: `key` is an organization or a hash. */
export const MailCount = defineEntity({
  name: 'MailCount',
  tableName: 'mail_count',
  properties: { ...record, scope: p.text(), key: p.text(), day: p.text(), mails: p.integer() },
})

/** An address, as a hash, that wants no more mail from an organization. */
export const EndedMail = defineEntity({
  name: 'EndedMail',
  tableName: 'ended_mail',
  properties: { ...tenantRecord, addressHash: p.text() },
})
