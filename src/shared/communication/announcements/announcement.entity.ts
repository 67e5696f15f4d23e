import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Role } from '../../platform/authz/roles.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/** What the desk announces, to those with one of the roles or in one of its groups; to everyone when it names neither. */
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
    /** When its audience was told: it is told of once. */
    toldAt: instant().nullable(),
  },
})
export type Announcement = InferEntity<typeof Announcement>

/** A group that an announcement is for. */
export const AnnouncementGroup = defineEntity({
  name: 'AnnouncementGroup',
  tableName: 'announcement_group',
  properties: { ...tenantRecord, announcementId: p.integer(), groupId: p.integer() },
})
export type AnnouncementGroup = InferEntity<typeof AnnouncementGroup>

/** That a member has read an announcement. */
export const AnnouncementRead = defineEntity({
  name: 'AnnouncementRead',
  tableName: 'announcement_read',
  properties: { ...tenantRecord, announcementId: p.integer(), membershipId: p.integer(), readAt: instant() },
})
export type AnnouncementRead = InferEntity<typeof AnnouncementRead>
