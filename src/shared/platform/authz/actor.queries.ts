import type { Db } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { readSettings } from './organization-settings.ts'
import { roleFlags, roles } from './roles.ts'

/** Returns a member as the actor of work without a request, with their present roles; null when they have left. */
export async function findActor(db: Db, organizationId: number, orgUserId: number): Promise<Actor | null> {
  const row = await db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['a.id as accountId', 'a.name', 'a.email_verified_at', 'o.name as organization', 'o.demo'])
    .select(['o.time_zone_name', 'o.settings'])
    .select(roles.map((role) => `m.${role}` as const))
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', orgUserId)
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { accountId, name, email_verified_at: verifiedAt, organization, demo, time_zone_name: timeZoneName } = row
  return {
    ...{
      accountId,
      orgUserId,
      organizationId,
      name,
      emailVerified: verifiedAt !== null || demo,
      roles: roleFlags(row),
    },
    organization: { name: organization, demo, timeZoneName, settings: readSettings(row.settings) },
  }
}
