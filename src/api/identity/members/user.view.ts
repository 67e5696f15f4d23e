import { z } from 'zod'
import type { UserRow } from '../../../shared/identity/members/user.queries.ts'
import { roleFlags } from '../../../shared/platform/authz/roles.ts'
import { iso } from '../../http/iso.ts'
import { RoleFlagsView } from '../../http/role-schemas.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** An account, with its roles in the active organization. */
export const User = z
  .object({
    id: Id,
    orgUserId: Id.nullable().describe('The membership in the active organization; null without one'),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    emailVerified: z.boolean(),
    ...RoleFlagsView.shape,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'User' })

export function userView(row: UserRow): z.input<typeof User> {
  return {
    id: row.id,
    orgUserId: row.orgUserId,
    name: row.name,
    email: row.email,
    phone: row.phone,
    emailVerified: row.emailVerified,
    ...roleFlags(row),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}
