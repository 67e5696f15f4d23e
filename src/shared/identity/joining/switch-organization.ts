import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { activateMembership } from '../accounts/account.access.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { findMember } from '../members/member.access.ts'

/**
 * Makes the membership in another organization the account's active one. Returns the claims of the token to issue.
 * Implements interface §Organizations, POST /organizations/switch/{orgId}.
 */
export async function switchOrganization(tx: Tx, accountId: number, organizationId: number): Promise<SignedIn> {
  const member = await findMember(tx, organizationId, { accountId })
  const subject = { kind: 'member', id: member.id } as const
  emit(tx, { organizationId, orgUserId: member.id }, { kind: 'session.started', subject })
  return activateMembership(tx, accountId, member)
}
