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
    /** When the audience was notified; null until then. The audience is notified once. */
    toldAt: instant().nullable(),
  },
})
export type Announcement = InferEntity<typeof Announcement>
