import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Role } from '../../platform/authz/roles.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/**
 * An announcement by desk staff, for members with one of its roles or in one of its groups; for all members when it has
 * neither.
 */
export const Announcement = defineEntity({
  name: 'Announcement',
  tableName: 'announcement',
  properties: {
    ...tenantRecord,
    title: p.text(),
    body: p.text(),
    roles: p.json<Role[]>(),
    pinned: p.boolean().default(false),
    publishAt: instant(),
    expiresAt: instant().nullable(),
    authorId: p.integer(),
    /** When the audience was notified, which happens once. */
    toldAt: instant().nullable(),
  },
})
export type Announcement = InferEntity<typeof Announcement>

/** A group in the audience of an announcement. */
export const AnnouncementGroup = defineEntity({
  name: 'AnnouncementGroup',
  tableName: 'announcement_group',
  properties: { ...tenantRecord, announcementId: p.integer(), groupId: p.integer() },
})
export type AnnouncementGroup = InferEntity<typeof AnnouncementGroup>

/** Records that a member has read an announcement. */
export const AnnouncementRead = defineEntity({
  name: 'AnnouncementRead',
  tableName: 'announcement_read',
  properties: { ...tenantRecord, announcementId: p.integer(), membershipId: p.integer(), readAt: instant() },
})
export type AnnouncementRead = InferEntity<typeof AnnouncementRead>
