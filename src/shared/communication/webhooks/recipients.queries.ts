import type { Db } from '../../platform/db/database.ts'

/** Returns the orgUserIds of an organization's owners and admins. */
export async function findAdmins(db: Db, organizationId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('owner', '=', true), eb('admin', '=', true)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Returns a disabled endpoint and the admin to mail; null when the endpoint is active again or deleted, or the admin
 * has left.
 */
export async function findDisabled(
  db: Db,
  { organizationId, endpointId, orgUserId }: { organizationId: number; endpointId: number; orgUserId: number },
) {
  const row = await db
    .selectFrom('webhook_endpoint as w')
    .innerJoin('organization as o', 'o.id', 'w.organization_id')
    .innerJoin('membership as m', 'm.organization_id', 'w.organization_id')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['w.url', 'o.name as organization', 'a.name', 'a.email as address'])
    .where('w.organization_id', '=', organizationId)
    .where('w.id', '=', endpointId)
    .where('w.disabled_at', 'is not', null)
    .where('m.id', '=', orgUserId)
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the URLs of the endpoints that a member created. */
export async function findUrlsMadeBy(
  db: Db,
  { organizationId, madeBy }: { organizationId: number; madeBy: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select('url')
    .where('organization_id', '=', organizationId)
    .where('created_by_id', '=', madeBy)
    .orderBy('id')
    .execute()
  return rows.map(({ url }) => url)
}

/**
 * Returns the recipient of a mail to an owner about the endpoints of a former admin, with the former admin's name; null
 * when the owner is no longer one, or the former admin is an admin again.
 */
export async function findFormerAdmin(
  db: Db,
  { organizationId, madeBy, orgUserId }: { organizationId: number; madeBy: number; orgUserId: number },
) {
  const row = await db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .innerJoin('membership as former', 'former.organization_id', 'm.organization_id')
    .select(['o.name as organization', 'a.name', 'a.email as address', 'former.search_name as formerAdmin'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', orgUserId)
    .where('m.owner', '=', true)
    .where('m.removed_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .where('former.id', '=', madeBy)
    .where((eb) => eb.or([eb('former.removed_at', 'is not', null), eb('former.admin', '=', false)]))
    .executeTakeFirst()
  return row ?? null
}
