import { activateMembership } from '../identity/accounts/account.access.ts'
import type { SignedIn } from '../identity/accounts/sign-in.ts'
import { identityErrors } from '../identity/identity.errors.ts'
import { addMember } from '../identity/members/add-member.ts'
import { findMemberIfAny } from '../identity/members/member.access.ts'
import { JoinRequest } from '../identity/organizations.tables.ts'
import { roleFlags } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { findOrganizationByCode, findOwnJoinRequest } from './membership.access.ts'

/** The result of joining: the account is a member, or its join request is pending. */
export type Joined = { signedIn: SignedIn } | { joinRequest: { id: number; organizationId: number } }

/**
 * Joins an organization by its code. In a public organization, the account immediately becomes a student. For a private one, it creates a
 * join request, which an admin decides; a second call returns the pending request.
 * Implements interface §Organizations, POST /organizations/join/{orgCode}.
 */
export async function joinOrganization(tx: Tx, accountId: number, code: string): Promise<Joined> {
  const organization = await findOrganizationByCode(tx, code)
  const organizationId = organization.id
  if (await findMemberIfAny(tx, organizationId, { accountId })) throw identityErrors.youAreMember()
  if (organization.private) {
    return { joinRequest: { id: await requestToJoin(tx, organizationId, accountId), organizationId } }
  }
  const membership = await addMember(tx, organizationId, accountId, roleFlags({ student: true }))
  if (!membership) throw identityErrors.youAreMember()
  return { signedIn: await activateMembership(tx, accountId, membership) }
}

async function requestToJoin(tx: Tx, organizationId: number, accountId: number): Promise<number> {
  const waiting = await findOwnJoinRequest(tx, organizationId, accountId)
  if (waiting) return waiting.id
  const request = tx.em.create(JoinRequest, { organizationId, accountId })
  await tx.em.flush()
  const stranger = { organizationId, orgUserId: null }
  emit(tx, stranger, { kind: 'join_request.submitted', subject: { kind: 'join_request', id: request.id } })
  return request.id
}
