import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { mailOwnerChanged, type OwnerChange } from '../organizations/organizations.jobs.ts'
import { findOwners } from './owner.queries.ts'

/** The member or the invitation that the change is about. */
interface Concerned {
  orgUserId?: number
  accountId?: number | null | undefined
  invitationId?: number
}

/**
 * Enqueues a mail to every owner when somebody is invited as an owner, becomes an owner or stops being one, can take money as
 * a cashier, or overrides no longer need a paper, because the change may have been made with a stolen token. The owner who
 * made the change and a former owner get the mail too.
 * Implements interface §Members and docs/security.md.
 */
export async function notifyOwners(
  tx: Tx,
  { organizationId, orgUserId: by }: Cause,
  change: OwnerChange,
  about: Concerned,
): Promise<void> {
  const { accountId, orgUserId = null, invitationId = null } = about
  const owners = (await findOwners(tx.db, organizationId)).map((owner) => owner.accountId)
  for (const to of new Set(accountId == null ? owners : [...owners, accountId])) {
    tx.enqueue(mailOwnerChanged, { organizationId, accountId: to, by, change, orgUserId, invitationId })
  }
}
