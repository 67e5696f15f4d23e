import { sql } from 'kysely'
import { type Role, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'

/** An account, with the roles of its membership in an organization. */
export interface UserRow extends Record<Role, boolean> {
  id: number
  orgUserId: number | null
  name: string
  email: string
  phone: string | null
  emailVerified: boolean
  createdAt: Date
  updatedAt: Date
}

/** The columns of a user, over `account` and `membership`; all roles are false without a membership. */
const columns = [
  'account.id',
  'membership.id as orgUserId',
  'account.name',
  'account.email',
  'account.phone',
  sql<boolean>`account.email_verified_at is not null`.as('emailVerified'),
  'account.created_at as createdAt',
  'account.updated_at as updatedAt',
  ...roles.map((role) => sql<boolean>`coalesce(membership.${sql.ref(role)}, false)`.as(role)),
] as const

/**
 * Selects the members of an organization who have an account. The join is an outer one, so that the planner removes it
 * when members are only counted.
 */
function selectMembers(db: Db, organizationId: number) {
  return db
    .selectFrom('membership')
    .leftJoin('account', 'account.id', 'membership.account_id')
    .select(columns)
    .where('membership.organization_id', '=', organizationId)
    .where('membership.removed_at', 'is', null)
    .where('membership.account_id', 'is not', null)
}

/** Returns the account with its roles in the organization; all roles are false when it is not a member. */
export async function findOwnUser(db: Db, accountId: number, organizationId: number | null): Promise<UserRow> {
  const row = await db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.account_id', '=', 'account.id')
        .on('membership.removed_at', 'is', null)
        .on('membership.organization_id', '=', organizationId),
    )
    .select(columns)
    .where('account.id', '=', accountId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row as UserRow
}

/** The sort keys of users, over `account` and `membership`. */
export const userSortKeys: SortKeys = {
  id: byValue('account.id'),
  orgUserId: byValue('membership.id'),
  name: byText('membership.search_name'),
  email: byText('account.email'),
  phone: byText('account.phone'),
  emailVerified: sql`account.email_verified_at is not null`,
  ...Object.fromEntries(roles.map((role) => [role, byValue(`membership.${role}`)])),
  createdAt: byValue('account.created_at'),
  updatedAt: byValue('account.updated_at'),
}

/**
 * Lists the members of an organization who have an account, sorted by name.
 * Implements interface §Members, GET /users.
 */
export function listUsers(db: Db, organizationId: number) {
  const members = selectMembers(db, organizationId).orderBy('membership.search_name').orderBy('membership.id')
  return pageable(db, members.$castTo<UserRow>(), userSortKeys)
}

/**
 * Returns one member of an organization; undefined when the account is not a member.
 * Implements interface §Members, GET /users/{id}.
 */
export async function findUser(db: Db, organizationId: number, accountId: number): Promise<UserRow | undefined> {
  const row = await selectMembers(db, organizationId).where('membership.account_id', '=', accountId).executeTakeFirst()
  return row as UserRow | undefined
}

/** Returns the account ids of an organization's owners. */
export async function findOwnerAccounts(db: Db, organizationId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('account_id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`owner`)
    .where('removed_at', 'is', null)
    .where('account_id', 'is not', null)
    .$narrowType<{ account_id: number }>()
    .execute()
  return rows.map((row) => row.account_id)
}
