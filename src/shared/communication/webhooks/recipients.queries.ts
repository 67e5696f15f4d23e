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

/** Returns a disabled endpoint and the admin to mail; null when it is in use again or deleted, or the admin has left. */
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
