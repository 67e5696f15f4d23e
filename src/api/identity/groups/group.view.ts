import { z } from 'zod'
import type { GroupRow } from '../../../shared/identity/groups/group.queries.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** A named set of members. */
export const Group = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    orgUserIds: z.array(Id),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Group' })

export function groupView(row: GroupRow): z.input<typeof Group> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    orgUserIds: row.org_user_ids ?? [],
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
