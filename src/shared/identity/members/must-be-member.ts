import type { Actor } from '../../platform/authz/actor.ts'
import { type Role, type RoleFlags, roleFlags, roles } from '../../platform/authz/roles.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import { Invalid } from '../../platform/kernel/errors.ts'

/**
 * Returns the roles of the member that a request body names by orgUserId.
 * @throws Invalid naming the field when the organization has no such member, or the member has none of the wanted
 * roles.
 */
export async function mustBeMember(
  source: Source,
  { organizationId }: Pick<Actor, 'organizationId'>,
  orgUserId: number,
  field: string,
  wanted?: readonly Role[],
): Promise<RoleFlags> {
  const row = await ('selectFrom' in source ? source : source.db)
    .selectFrom('membership')
    .select(roles)
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Invalid(`${field}: there is no such member`)
  const flags = roleFlags(row)
  if (wanted && !wanted.some((role) => flags[role])) {
    throw new Invalid(
      `${field}: the member is not ${wanted.includes('instructor') ? 'an instructor' : wanted.join(' or ')}`,
    )
  }
  return flags
}
