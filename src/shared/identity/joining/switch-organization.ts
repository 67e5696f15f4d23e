import type { Tx } from '../../platform/db/transaction.ts'
import { activateMembership } from '../accounts/account.access.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { findMember } from '../members/member.access.ts'

/**
 * Makes another organization of the account its active one.
 * Implements interface §Organizations, POST /organizations/switch/{orgId}.
 * @throws NotFound when the account is not a member of it.
 */
export async function switchOrganization(tx: Tx, accountId: number, organizationId: number): Promise<SignedIn> {
  return activateMembership(tx, await findMember(tx, organizationId, { accountId }))
}
