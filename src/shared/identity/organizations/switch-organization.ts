import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { activateMembership } from '../accounts/account.access.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { Membership } from '../members/membership.entity.ts'

/**
 * Makes another organization of the account its active one.
 * Implements interface §Organizations, POST /organizations/switch/{orgId}.
 * @throws NotFound when the account is not a member of it.
 */
export async function switchOrganization(tx: Tx, accountId: number, organizationId: number): Promise<SignedIn> {
  const membership = await tx.em.findOne(Membership, { organizationId, accountId, removedAt: null })
  if (!membership) throw new NotFound()
  return activateMembership(tx, membership)
}
