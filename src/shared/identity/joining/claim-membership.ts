import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { approvePending } from '../members/add-member.ts'
import { findMemberIfAny, lockManagedMember } from '../members/member.access.ts'
import { assertMayClaim } from '../members/registrar.access.ts'
import type { Membership } from '../members.tables.ts'
import { invitationClosed } from './invitation.access.ts'

/** The managed membership that is taken over, and the account that takes it over. */
interface Claim {
  organizationId: number
  membershipId: number
  accountId: number
  /** Who invited. */
  invitedBy: number
}

/**
 * Connects an account to a managed membership, which keeps its roles and its history. From then on the membership shows
 * the account's name and address. The caller has checked that the account has the invited address.
 * Implements interface §People, POST /organizations/invite with `orgUserId`.
 */
export async function claimMembership(
  tx: Tx,
  { organizationId, membershipId, accountId, invitedBy }: Claim,
): Promise<Membership> {
  if (await findMemberIfAny(tx, organizationId, { accountId })) throw identityErrors.mergeInstead()
  const member = await lockManagedMember(tx, organizationId, membershipId)
  if (!member) throw invitationClosed()
  await assertMayClaim(tx, member, invitedBy)
  member.accountId = accountId
  await tx.em.flush()
  await approvePending(tx, organizationId, accountId)
  const subject = { kind: 'member', id: membershipId } as const
  emit(tx, { organizationId, orgUserId: membershipId }, { kind: 'member.claimed', subject })
  return member
}
