import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { approvePending } from '../members/add-member.ts'
import { findMemberIfAny, lockManagedMember } from '../members/member.access.ts'
import type { Membership } from '../members.tables.ts'
import { invitationClosed } from './invitation.access.ts'

/** An invitation to take over a membership, and whose it becomes. */
interface Claim {
  organizationId: number
  membershipId: number
  accountId: number
}

/**
 * Ties an account to a managed membership, with its roles and all its history. The membership shows the account's name and
 * address from then on. The caller has proved that the account's address is the invited one.
 * Implements interface §People, POST /organizations/invite with `orgUserId`.
 */
export async function claimMembership(tx: Tx, { organizationId, membershipId, accountId }: Claim): Promise<Membership> {
  if (await findMemberIfAny(tx, organizationId, { accountId })) throw identityErrors.mergeInstead()
  const member = await lockManagedMember(tx, organizationId, membershipId)
  if (!member) throw invitationClosed()
  member.accountId = accountId
  await tx.em.flush()
  await approvePending(tx, organizationId, accountId)
  const subject = { kind: 'member', id: membershipId } as const
  emit(tx, { organizationId, orgUserId: membershipId }, { kind: 'member.claimed', subject })
  return member
}
