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
