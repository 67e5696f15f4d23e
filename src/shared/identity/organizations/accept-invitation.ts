import { LockMode } from '@mikro-orm/core'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import { mustBeVerified } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, Unauthenticated } from '../../platform/kernel/errors.ts'
import type { Account } from '../accounts/account.entity.ts'
import { activateMembership } from '../accounts/activate-membership.ts'
import { endAccess } from '../accounts/end-access.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { mailToken } from '../accounts/mail-token.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { addMember, memberAlready } from '../members/add-member.ts'
import type { Membership } from '../members/membership.entity.ts'
import { Invitation } from './organization.entity.ts'

/** The open invitation of a mailed token, locked. @throws Invalid when it is unknown, used or expired. */
export async function findInvitation(tx: Tx, mailTokens: MailTokens, token: string): Promise<Invitation> {
  const invitation = await tx.em.findOne(
    Invitation,
    { tokenHash: mailTokens.hashOf(token), acceptedAt: null, expiresAt: { $gt: tx.now } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!invitation) throw invitationClosed()
  return invitation
}

/** The refusal of an invitation that nobody can use any more. */
export function invitationClosed(): Invalid {
  return new Invalid('This invitation has expired or was used already.')
}

/** Uses an invitation: the account becomes a member with the roles it grants. @throws Invalid when it is one already. */
export async function acceptInvitationFor(tx: Tx, invitation: Invitation, accountId: number): Promise<Membership> {
  invitation.acceptedAt = tx.now
  const membership = await addMember(tx, invitation.organizationId, accountId, roleFlags(invitation))
  if (!membership) throw memberAlready()
  return membership
}

/**
 * Accepts an invitation with an account that exists. Whoever holds the mail that went to their own address has proved
 * that address; another address must be verified first. What an account with an unproved address held ends.
 * @throws Invalid when the invitation is not open, or the account a member already; Forbidden EMAIL_NOT_VERIFIED.
 */
export async function acceptInvitation(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  token: string,
): Promise<SignedIn> {
  const invitation = await findInvitation(tx, mailTokens, token)
  const account = await lockAccount(tx, { id: accountId })
  if (!account) throw new Unauthenticated()
  const proved = account.emailVerifiedAt === null && account.email === invitation.email
  if (proved) await proveAddress(tx, mailTokens, account)
  mustBeVerified({ emailVerified: account.emailVerifiedAt != null })
  const signedIn = await activateMembership(tx, await acceptInvitationFor(tx, invitation, accountId))
  return proved ? { ...signedIn, authTime: tx.now.getTime() } : signedIn
}

/**
 * The address turns out to be this person's only now: whoever signed up with it may have been somebody else, so the
 * password and whatever else the account held ends, and a link for a new one goes to the address.
 */
async function proveAddress(tx: Tx, mailTokens: MailTokens, account: Account): Promise<void> {
  await endAccess(tx, account)
  tx.em.assign(account, { passwordHash: '', emailVerifiedAt: tx.now })
  await mailToken(tx, mailTokens, account.id, 'reset_password')
}
