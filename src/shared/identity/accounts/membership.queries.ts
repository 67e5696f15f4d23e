import type { Db } from '../../platform/db/database.ts'

/** Returns the present memberships of an account, by its id or address; none when it is deleted or unknown. */
export function findMemberships(db: Db, account: { id: number } | { email: string }) {
  const [column, value] = 'id' in account ? (['a.id', account.id] as const) : (['a.email', account.email] as const)
  return db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id as orgUserId', 'm.organization_id as organizationId', 'a.name'])
    .where(column, '=', value)
    .where('a.deleted_at', 'is', null)
    .where('m.removed_at', 'is', null)
    .execute()
}
