import { LockMode } from '@mikro-orm/core'
import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { Invitation } from '../organizations.tables.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const

/** Returns the open invitation of a mailed token, locked. */
export async function lockInvitationOfToken(tx: Tx, mailTokens: MailTokens, token: string): Promise<Invitation> {
  const invitation = await tx.em.findOne(
    Invitation,
    { tokenHash: mailTokens.hashOf(token), acceptedAt: null, expiresAt: { $gt: tx.now } },
    locked,
  )
  if (!invitation) throw invitationClosed()
  return invitation
}

/** Returns the error for an invitation that is no longer open. */
export function invitationClosed(): Invalid {
  return identityErrors.invitationUsed()
}

/** Returns, locked, the unaccepted invitation to an address, also when it has expired; null when there is none. */
export function lockInvitationOfAddress(tx: Tx, organizationId: number, email: string): Promise<Invitation | null> {
  return tx.em.findOne(Invitation, { organizationId, email, acceptedAt: null }, locked)
}

/** Returns, locked, an unaccepted invitation of the organization. */
export async function lockInvitation(tx: Tx, organizationId: number, id: number): Promise<Invitation> {
  const invitation = await tx.em.findOne(Invitation, { id, organizationId, acceptedAt: null }, locked)
  if (!invitation) throw platformErrors.noSuchRecord()
  return invitation
}

/**
 * Returns whether accepting an invitation proves that an account owns its address: the invitation was mailed to that address.
 * Invitations of a demo organization prove nothing, because anybody can send them and read its inbox.
 */
export async function provesAddress(tx: Tx, invitation: Invitation | null, address: string): Promise<boolean> {
  if (invitation?.email !== address) return false
  const row = await tx.db
    .selectFrom('organization')
    .select('demo')
    .where('id', '=', invitation.organizationId)
    .executeTakeFirst()
  return row?.demo === false
}
