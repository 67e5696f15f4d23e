import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import { assertIsVerified } from '../../platform/authz/actor.ts'
import { type Role, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { activateMembership, endAccess, lockAccount } from '../accounts/account.access.ts'
import { issueMailToken } from '../accounts/issue-mail-token.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import type { Account } from '../accounts.tables.ts'
import { identityErrors } from '../identity.errors.ts'
import { addMember } from '../members/add-member.ts'
import { notifyOwners } from '../members/notify-owners.ts'
import type { Membership } from '../members.tables.ts'
import type { Invitation } from '../organizations.tables.ts'
import { claimMembership } from './claim-membership.ts'
import { lockInvitationOfToken, provesAddress } from './invitation.access.ts'

/**
 * The roles that any account may accept with the mailed link. Other roles can only be accepted by the account with the
 * invited address.
 */
const forAnyone: readonly Role[] = ['student', 'renter', 'technician']

/**
 * Ensures that the account has the invited address, when the invitation is to take over a membership or grants a role
 * that is not in `forAnyone`.
 */
function assertIsInvited(invitation: Invitation, email: string): void {
  const personal = invitation.membershipId != null || rolesOf(invitation).some((role) => !forAnyone.includes(role))
  if (personal && email !== invitation.email) throw identityErrors.invitationNotYours()
}

/**
 * Consumes an invitation. The account becomes a member with the roles of the invitation, or takes over the managed
 * membership that the invitation names.
 * Implements interface §Organizations, POST /organizations/invite.
 */
export async function acceptInvitationFor(
  tx: Tx,
  invitation: Invitation,
  { id: accountId, email }: Pick<Account, 'id' | 'email'>,
): Promise<Membership> {
  assertIsInvited(invitation, email)
  invitation.acceptedAt = tx.now
  const { organizationId, membershipId, invitedBy } = invitation
  if (membershipId != null) return claimMembership(tx, { organizationId, membershipId, accountId, invitedBy })
  const membership = await addMember(tx, invitation.organizationId, accountId, roleFlags(invitation))
  if (!membership) throw identityErrors.joinedBefore()
  if (membership.owner) {
    const by = { organizationId, orgUserId: invitation.invitedBy }
    await notifyOwners(tx, by, 'joined', { orgUserId: membership.id, accountId })
  }
  return membership
}

/**
 * Accepts an invitation with an existing account. When it proves the account's address (`provesAddress`), the address
 * becomes verified. Otherwise the address must be verified already.
 * Implements interface §Organizations, POST /organizations/invitations/accept.
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
  assertIsInvited(invitation, account.email)
  const proved = account.emailVerifiedAt === null && (await provesAddress(tx, invitation, account.email))
  if (proved) await proveAddress(tx, mailTokens, account)
  assertIsVerified({ emailVerified: account.emailVerifiedAt != null })
  const signedIn = await activateMembership(tx, accountId, await acceptInvitationFor(tx, invitation, account))
  return proved ? { ...signedIn, authTime: tx.now.getTime() } : signedIn
}

/**
 * Verifies the address of an account. Another person may have signed up with it before. Therefore the password is
 * removed, all earlier access is revoked, and a reset link is mailed to the address.
 */
async function proveAddress(tx: Tx, mailTokens: MailTokens, account: Account): Promise<void> {
  await endAccess(tx, account)
  tx.em.assign(account, { passwordHash: '', emailVerifiedAt: tx.now })
  await issueMailToken(tx, mailTokens, account.id, 'reset_password')
}
