import { z } from 'zod'
import type { AnnouncementRow } from '../../../shared/communication/announcements/announcement.queries.ts'
import { roles } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

/** An announcement by desk staff. */
export const Announcement = z
  .object({
    id: Id,
    title: z.string(),
    body: z.string(),
    roles: z.array(z.enum(roles)),
    groupIds: z.array(Id),
    pinned: z.boolean(),
    publishAt: Instant,
    expiresAt: Instant.nullable(),
    author: Person,
    readAt: Instant.nullable().describe('When the caller first marked it as read; null: not read'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Announcement' })

export function announcementView(row: AnnouncementRow): z.input<typeof Announcement> {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    roles: row.roles,
    groupIds: row.group_ids,
    pinned: row.pinned,
    publishAt: iso(row.publish_at),
    expiresAt: iso(row.expires_at ?? null),
    author: personView(row.author_id, row.author),
    readAt: iso(row.read_at ?? null),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
