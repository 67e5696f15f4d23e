import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/*
 * The audience and the readers of announcements, and who was notified of them.
 * Kysely writes these tables; the ORM only declares their columns.
 */

/** A group in the audience of an announcement. */
export const AnnouncementGroup = defineEntity({
  name: 'AnnouncementGroup',
  tableName: 'announcement_group',
  properties: { ...tenantRecord, announcementId: p.integer(), groupId: p.integer() },
})

/** Records that a member has read an announcement. */
export const AnnouncementRead = defineEntity({
  name: 'AnnouncementRead',
  tableName: 'announcement_read',
  properties: { ...tenantRecord, announcementId: p.integer(), membershipId: p.integer(), readAt: instant() },
})

/**
 * Records that a member was notified of an announcement. Later changes of the announcement do not notify the member
 * again.
 */
export const AnnouncementNotice = defineEntity({
  name: 'AnnouncementNotice',
  tableName: 'announcement_notice',
  properties: { ...tenantRecord, announcementId: p.integer(), membershipId: p.integer() },
})

/**
 * Records when an organization notified an audience. The row stays when the announcement is deleted, so that deleting
 * one does not raise the limit.
 */
export const AnnouncementMailing = defineEntity({
  name: 'AnnouncementMailing',
  tableName: 'announcement_mailing',
  properties: { ...tenantRecord, mailedAt: instant() },
})
