import { type InferEntity, p } from '@mikro-orm/core'
import type { Role } from '../platform/authz/roles.ts'
import { instant, record, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import { notificationKinds } from './notifications/notification-kinds.rules.ts'
import type { MessageData } from './notifications/templates/message.rules.ts'

/** An in-app notification of one member. `dedupeKey` identifies the notification, so that a repeated job writes it once. */
export const Notification = log('notification', {
  exported: false,
  kept: { days: 400, since: 'createdAt', fewer: { days: 180, where: 'read_at is not null' } },
  mayName: ['title', 'body'],
  columns: {
    ...tenantRecord,
    membershipId: member.own('notices'),
    kind: p.enum(notificationKinds),
    title: p.text(),
    body: p.text(),
    data: p.json<MessageData>(),
    dedupeKey: p.text(),
    readAt: instant().nullable(),
  },
})

/** A member's channels for one kind of notification. A kind without a row has the default channels. */
export const NotificationPreference = set('notification_preference', {
  exported: false,
  columns: {
    ...tenantRecord,
    membershipId: member.own('settings'),
    kind: p.enum(notificationKinds),
    inApp: p.boolean(),
    push: p.boolean(),
    email: p.boolean(),
  },
})

/**
 * A counter of mails, or of requests that cause a mail. `scope` is a `MailScope`, `key` an id or a hash, and `day` the
 * hour or day in UTC.
 */
export const MailCount = log('mail_count', {
  kept: { days: 2, since: 'createdAt' },
  columns: { ...record, scope: p.text(), key: p.text(), day: p.text(), mails: p.integer() },
})

/** The hash of an address whose owner unsubscribed from all mail of an organization. */
export const EndedMail = log('ended_mail', {
  exported: false,
  columns: { ...tenantRecord, addressHash: p.text() },
})

/**
 * An announcement by desk staff, for members with one of its roles or in one of its groups; for all members when it has
 * neither.
 */
export const Announcement = aggregate('announcement', {
  exported: true,
  columns: {
    ...tenantRecord,
    title: p.text(),
    body: p.text(),
    roles: p.json<Role[]>(),
    pinned: p.boolean().default(false),
    publishAt: instant(),
    expiresAt: instant().nullable(),
    authorId: member.act('work', 'others'),
    /**
     * When the audience was notified; null before. A later change notifies only members who are new in the audience.
     */
    notifiedAt: instant().nullable(),
  },
})
export type Announcement = InferEntity<typeof Announcement>

/** A group in the audience of an announcement. */
export const AnnouncementGroup = set('announcement_group', {
  exported: true,
  columns: { ...tenantRecord, announcementId: p.integer(), groupId: p.integer() },
})

/** Records that a member has read an announcement. */
export const AnnouncementRead = log('announcement_read', {
  exported: false,
  columns: { ...tenantRecord, announcementId: p.integer(), membershipId: member.own('notices'), readAt: instant() },
})

/**
 * Records that a member was notified of an announcement. Later changes of the announcement do not notify the member
 * again.
 */
export const AnnouncementNotice = log('announcement_notice', {
  exported: false,
  columns: { ...tenantRecord, announcementId: p.integer(), membershipId: member.own('notices') },
})

/**
 * Records when an organization notified an audience. The row stays when the announcement is deleted, so that deleting
 * one does not raise the limit.
 */
export const AnnouncementMailing = log('announcement_mailing', {
  exported: false,
  /** Kept while it counts for the daily limit. */
  kept: { days: 1, since: 'mailedAt' },
  columns: { ...tenantRecord, mailedAt: instant() },
})

/** The providers of meetings for ground lessons. */
export const meetingProviders = ['zoom', 'google'] as const
export type MeetingProvider = (typeof meetingProviders)[number]

/**
 * A member's account at a meeting provider. Tokens are encrypted with a key of the service. `brokenAt` is set when the
 * provider rejects a refresh: the member has to connect again.
 */
export const ConnectedAccount = set('connected_account', {
  exported: false,
  columns: {
    ...tenantRecord,
    membershipId: member.own('settings'),
    provider: p.enum(meetingProviders),
    accountEmail: p.text().nullable(),
    refreshToken: p.text(),
    accessToken: p.text().nullable(),
    accessExpiresAt: instant().nullable(),
    /** Until when a job has the exclusive right to refresh the token, by the database's clock. */
    refreshClaimedUntil: instant().nullable(),
    connectedAt: instant(),
    brokenAt: instant().nullable(),
  },
})

/**
 * A connection in progress. Its state is signed and valid for ten minutes. It can be used once, by the browser that
 * opened it.
 */
export const ConnectionState = log('connection_state', {
  exported: false,
  /** Unfinished connections are kept for one day after they expire. */
  kept: { days: 1, since: 'expiresAt' },
  columns: {
    ...tenantRecord,
    membershipId: member.own('settings'),
    provider: p.enum(meetingProviders),
    stateHash: p.text(),
    /** The PKCE code verifier. Encrypted, because it is a secret that is needed to finish the connection. */
    codeVerifier: p.text(),
    expiresAt: instant(),
    /** SHA-256 hash of the browser's cookie; null until the address is opened. */
    browserHash: p.text().nullable(),
    usedAt: instant().nullable(),
  },
})
