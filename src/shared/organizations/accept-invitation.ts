import { LockMode } from '@mikro-orm/core'
import { Account } from '../accounts/account.entity.ts'
import { activateMembership } from '../accounts/activate-membership.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import type { MailTokens } from '../adapters/tokens/mail-tokens.ts'
import { mustBeVerified } from '../authz/actor.ts'
import { roleFlags } from '../authz/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { Invalid } from '../kernel/errors.ts'
import { addMember } from '../members/add-member.ts'
import type { Membership } from '../members/membership.entity.ts'
import { memberAlready } from './join-organization.ts'
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
 * that address; another address must be verified first.
 * @throws Invalid when the invitation is not open, or the account a member already; Forbidden EMAIL_NOT_VERIFIED.
 */
export async function acceptInvitation(
  tx: Tx,
  mailTokens: MailTokens,
  accountId: number,
  token: string,
): Promise<SignedIn> {
  const invitation = await findInvitation(tx, mailTokens, token)
  const account = await tx.em.findOneOrFail(Account, accountId)
  if (account.email === invitation.email) account.emailVerifiedAt ??= tx.now
  mustBeVerified({ emailVerified: account.emailVerifiedAt != null })
  return activateMembership(tx, await acceptInvitationFor(tx, invitation, accountId))
}
