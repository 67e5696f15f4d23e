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
import { addMember, alreadyMember } from '../members/add-member.ts'
import { notifyOwners } from '../members/notify-owners.ts'
import type { Membership } from '../members.tables.ts'
import type { Invitation } from '../organizations.tables.ts'
import { claimMembership } from './claim-membership.ts'
import { lockInvitationOfToken } from './invitation.access.ts'

/** The roles whose invitations anyone may accept who holds the mail; those of the others are for the invited address. */
const forAnyone: readonly Role[] = ['student', 'renter', 'technician']

/**
 * Checks that an invitation to take over a membership, or to a role that sees or decides about others, is accepted by the
 * account with the invited address.
 */
function assertIsInvited(invitation: Invitation, email: string): void {
  const personal = invitation.membershipId != null || rolesOf(invitation).some((role) => !forAnyone.includes(role))
  if (personal && email !== invitation.email) throw identityErrors.invitationNotYours()
}

/**
 * Consumes an invitation: the account becomes a member with the roles that it grants, or takes over the managed membership
 * that it names.
 * Implements interface §Organizations, POST /organizations/invite.
 */
export async function acceptInvitationFor(
  tx: Tx,
  invitation: Invitation,
  { id: accountId, email }: Pick<Account, 'id' | 'email'>,
): Promise<Membership> {
  assertIsInvited(invitation, email)
  invitation.acceptedAt = tx.now
  const { organizationId, membershipId } = invitation
  if (membershipId != null) return claimMembership(tx, { organizationId, membershipId, accountId })
  const membership = await addMember(tx, invitation.organizationId, accountId, roleFlags(invitation))
  if (!membership) throw alreadyMember()
  if (membership.owner) {
    const by = { organizationId, orgUserId: invitation.invitedBy }
    await notifyOwners(tx, by, 'joined', { orgUserId: membership.id, accountId })
  }
  return membership
}

/**
 * Accepts an invitation with an existing account. A token that was mailed to the account's own address also verifies
 * that address; any other address must be verified first.
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
  const proved = account.emailVerifiedAt === null && account.email === invitation.email
  if (proved) await proveAddress(tx, mailTokens, account)
  assertIsVerified({ emailVerified: account.emailVerifiedAt != null })
  const signedIn = await activateMembership(tx, accountId, await acceptInvitationFor(tx, invitation, account))
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
