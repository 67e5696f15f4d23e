import { identityErrors } from '../../identity/identity.errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, ZERO } from '../../platform/kernel/units.ts'

/** Checks that the member exists. Removed members count, because their accounts are kept. */
export async function assertHasAccount(db: Db, organizationId: number, orgUserId: number): Promise<void> {
  const member = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', orgUserId)
    .executeTakeFirst()
  if (!member) throw identityErrors.noSuchMember()
}

/**
 * Locks a member's account until the commit and returns its balance in cents. The lock is on the member row, so that
 * concurrent postings run one after the other and each reads the balance of the one before. It is FOR NO KEY UPDATE, so that
 * inserts of rows with a foreign key to the member do not wait for it.
 */
export async function lockBalance(tx: Tx, organizationId: number, membershipId: number): Promise<Cents> {
  await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', membershipId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return findBalance(tx.db, { organizationId, orgUserId: membershipId })
}

/** Returns the balance of a member's account in cents, without a lock. */
export async function findBalance(
  db: Db,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<Cents> {
  const last = await db
    .selectFrom('ledger_entry')
    .select('balance_cents')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.balance_cents ?? ZERO
}
