import type { Db } from '../../platform/db/database.ts'

/** A present owner of an organization. */
export interface Ownership {
  organizationId: number
  orgUserId: number
  accountId: number
}

/** Returns the organizations that an account owns. */
export function findOwnerships(db: Db, accountId: number): Promise<Ownership[]> {
  return selectOwners(db).where('account_id', '=', accountId).execute()
}

/** Returns the present owners of an organization. */
export function findOwners(db: Db, organizationId: number): Promise<Ownership[]> {
  return selectOwners(db).where('organization_id', '=', organizationId).execute()
}

/**
 * Returns name and address of an owner to mail about what the member `by` did, with the names of the organization and
 * of that member; null when the owner is no longer one.
 */
export async function findOwnerToMail(
  db: Db,
  { organizationId, orgUserId, by }: { organizationId: number; orgUserId: number; by: number },
) {
  const row = await db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .innerJoin('membership as other', 'other.organization_id', 'm.organization_id')
    .select(['o.name as organization', 'm.search_name as name', 'm.search_email as address', 'other.search_name as by'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', orgUserId)
    .where('m.owner', '=', true)
    .where('m.removed_at', 'is', null)
    .where('other.id', '=', by)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the recipient of a mail about a change of owners, with the names of the organization and of the people
 * concerned; null when the recipient's account or the organization is deleted.
 */
export async function findOwnerChangeToMail(
  db: Db,
  of: {
    organizationId: number
    accountId: number
    by: number | null
    orgUserId: number | null
    invitationId: number | null
  },
) {
  const nameOf = (id: number | null) =>
    db
      .selectFrom('membership')
      .select('search_name')
      .where('organization_id', '=', of.organizationId)
      .where('id', '=', id)
  const row = await db
    .selectFrom('account as a')
    .innerJoin('organization as o', (join) => join.on('o.id', '=', of.organizationId))
    .select((eb) => [
      'a.name',
      'a.email as address',
      'o.name as organization',
      nameOf(of.by).as('by'),
      nameOf(of.orgUserId).as('whom'),
      eb
        .selectFrom('invitation')
        .select('email')
        .where('organization_id', '=', of.organizationId)
        .where('id', '=', of.invitationId)
        .as('invited'),
    ])
    .where('a.id', '=', of.accountId)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

function selectOwners(db: Db) {
  return db
    .selectFrom('membership')
    .select(['organization_id as organizationId', 'id as orgUserId', 'account_id as accountId'])
    .where('owner', '=', true)
    .where('removed_at', 'is', null)
    .where('account_id', 'is not', null)
    .$narrowType<{ accountId: number }>()
    .orderBy('organization_id')
    .orderBy('id')
}
