import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { connectAccount } from './invoices.jobs.ts'
import { findUnreadyAccounts } from './school-account.queries.ts'

/**
 * Enqueues a job that opens the school's account at the payment gateway, or checks whether the account can receive payments.
 */
export async function startConnecting(tx: Tx, { organizationId }: Actor): Promise<{ organizationId: number }> {
  tx.enqueue(connectAccount, { organizationId })
  return { organizationId }
}

/** Stores the school's account and whether it can receive payments. */
export async function storeAccount(
  tx: Tx,
  organizationId: number,
  { account, ready }: { account: string; ready: boolean },
): Promise<void> {
  const organization = await lockOrganization(tx, organizationId)
  organization.settings = { ...organization.settings, stripeAccountId: account, stripeAccountReady: ready }
}

/** Enqueues a check of the accounts that cannot receive payments yet. */
export async function recheckUnreadyAccounts(tx: Tx): Promise<void> {
  for (const organizationId of await findUnreadyAccounts(tx.db, connectAccount.name)) {
    tx.enqueue(connectAccount, { organizationId })
  }
}
