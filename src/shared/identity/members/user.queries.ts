import { sql } from 'kysely'
import { type Role, roles } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'

/** An account as the members of an organization see it. */
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

/** Selects accounts with their roles in one organization; all roles are false without a membership. */
function selectUsers(db: Db, organizationId: number | null) {
  return db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.account_id', '=', 'account.id')
        .on('membership.removed_at', 'is', null)
        .on('membership.organization_id', '=', organizationId),
    )
    .select([
      'account.id',
      'membership.id as orgUserId',
      'account.name',
      'account.email',
      'account.phone',
      sql<boolean>`account.email_verified_at is not null`.as('emailVerified'),
      'account.created_at as createdAt',
      'account.updated_at as updatedAt',
      ...roles.map((role) => sql<boolean>`coalesce(membership.${sql.ref(role)}, false)`.as(role)),
    ])
    .where('account.deleted_at', 'is', null)
}

/** Returns the account with its roles in the organization. */
export async function findOwnUser(db: Db, accountId: number, organizationId: number | null): Promise<UserRow> {
  const row = await selectUsers(db, organizationId).where('account.id', '=', accountId).executeTakeFirstOrThrow()
  return row as UserRow
}

/**
 * Returns the members of an organization by name; only that member when `userId` is given.
 * Implements interface §Members, GET /users and GET /users/{id}.
 */
export async function findUsers(db: Db, organizationId: number, userId?: number): Promise<UserRow[]> {
  const rows = await selectUsers(db, organizationId)
    .where('membership.id', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('account.id', '=', userId ?? 0))
    .orderBy('account.name')
    .orderBy('account.id')
    .execute()
  return rows as UserRow[]
}
