import type { Db } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { readSettings } from './organization-settings.ts'
import { roleFlags, roles } from './roles.ts'

/**
 * Returns a member, with their present roles, as the actor of work that runs without a request. Null when there is no such
 * member any more.
 */
export async function findActor(db: Db, organizationId: number, orgUserId: number): Promise<Actor | null> {
  const row = await selectMembers(db, organizationId).where('m.id', '=', orgUserId).executeTakeFirst()
  return row ? actorOf(row) : null
}

/**
 * Returns an owner of the organization, as the actor of work that no member requested. Prefers an owner with a verified
 * address; null when the organization has no owner.
 */
export async function findOwner(db: Db, organizationId: number): Promise<Actor | null> {
  const rows = await selectMembers(db, organizationId).where('m.owner', '=', true).orderBy('m.id').execute()
  const owners = rows.map((row) => ({ ...actorOf(row), standsIn: true }))
  return owners.find(({ emailVerified }) => emailVerified) ?? owners[0] ?? null
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

function selectMembers(db: Db, organizationId: number) {
  return db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select(['m.id', 'm.organization_id', 'a.id as accountId', 'a.name', 'a.email_verified_at'])
    .select(['o.name as organization', 'o.demo', 'o.time_zone_name', 'o.settings'])
    .select(roles.map((role) => `m.${role}` as const))
    .where('m.organization_id', '=', organizationId)
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
}

function actorOf(row: MemberRow): Actor {
  return {
    accountId: row.accountId,
    orgUserId: row.id,
    organizationId: row.organization_id,
    name: row.name,
    emailVerified: row.email_verified_at !== null || row.demo,
    roles: roleFlags(row),
    organization: {
      name: row.organization,
      demo: row.demo,
      timeZoneName: row.time_zone_name,
      settings: readSettings(row.settings),
    },
  }
}
