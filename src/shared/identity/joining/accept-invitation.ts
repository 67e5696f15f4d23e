import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import { mustBeVerified } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { activateMembership, endAccess, lockAccount } from '../accounts/account.access.ts'
import type { Account } from '../accounts/account.entity.ts'
import { issueMailToken } from '../accounts/issue-mail-token.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { addMember, alreadyMember } from '../members/add-member.ts'
import type { Membership } from '../members/membership.entity.ts'
import type { Invitation } from '../organizations/organization.entity.ts'
import { lockInvitationOfToken } from './invitation.access.ts'

/**
 * Consumes an invitation: the account becomes a member with the invitation's roles.
 * Implements interface §Organizations, POST /organizations/invite.
 * @throws Invalid ALREADY_EXISTS when the account is already a member.
 */
export async function acceptInvitationFor(tx: Tx, invitation: Invitation, accountId: number): Promise<Membership> {
  invitation.acceptedAt = tx.now
  const membership = await addMember(tx, invitation.organizationId, accountId, roleFlags(invitation))
  if (!membership) throw alreadyMember()
  return membership
}

/**
 * Accepts an invitation with an existing account. A token that was mailed to the account's own address also verifies
 * that address; any other address must be verified first.
 * Implements interface §Organizations, POST /organizations/invitations/accept.
 * @throws Invalid when the invitation is not open.
 * @throws Invalid ALREADY_EXISTS when the account is already a member.
 * @throws Unauthenticated when the account is deleted.
 * @throws Forbidden EMAIL_NOT_VERIFIED when the account's address is not verified.
 */
export async function acceptInvitation(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  token: string,
): Promise<SignedIn> {
  const invitation = await lockInvitationOfToken(tx, mailTokens, token)
  const account = await lockAccount(tx, { id: accountId })
  if (!account) throw platformErrors.signIn()
  const proved = account.emailVerifiedAt === null && account.email === invitation.email
  if (proved) await proveAddress(tx, mailTokens, account)
  mustBeVerified({ emailVerified: account.emailVerifiedAt != null })
  const signedIn = await activateMembership(tx, accountId, await acceptInvitationFor(tx, invitation, accountId))
  return proved ? { ...signedIn, authTime: tx.now.getTime() } : signedIn
}

/**
 * Verifies the address of an account. Another person may have signed up with it before, so the password and all earlier
 * access end, and a reset link is mailed to the address.
 */
async function proveAddress(tx: Tx, mailTokens: MailTokens, account: Account): Promise<void> {
  await endAccess(tx, account)
  tx.em.assign(account, { passwordHash: '', emailVerifiedAt: tx.now })
  await issueMailToken(tx, mailTokens, account.id, 'reset_password')
}
