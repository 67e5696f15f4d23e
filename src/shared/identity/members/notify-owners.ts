import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { mailOwnerChanged, type OwnerChange } from '../organizations/organizations.jobs.ts'
import { findOwners } from './owner.queries.ts'

/** Whom it concerns: a member with an account, or an invitation. */
interface Concerned {
  orgUserId?: number
  accountId?: number | null | undefined
  invitationId?: number
}

/**
 * Mails all owners that somebody is invited as an owner, became one, or is one no more: the token that did it may be in
 * other hands. Who did it gets the mail too, and so does who was an owner until now.
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
