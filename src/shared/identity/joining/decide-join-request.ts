import type { Actor } from '../../platform/authz/actor.ts'
import { type RoleFlags, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { addMember } from '../members/add-member.ts'
import { assertIsOwner } from '../members/member.access.ts'
import { notifyOwners } from '../members/notify-owners.ts'
import { lockJoinRequest, lockOrganization } from '../organizations/organization.access.ts'
import { mailJoinDecision } from '../organizations/organizations.jobs.ts'
import type { JoinRequest } from '../organizations.tables.ts'

/**
 * Approves a join request with the given roles (student when there are none), and enqueues a mail to the person.
 * Implements interface §Other.
 */
export async function approveJoinRequest(
  tx: Tx,
  actor: Actor,
  id: number,
  roles: Partial<RoleFlags>,
): Promise<{ id: number }> {
  if (roles.owner) {
    await lockOrganization(tx, actor.organizationId)
    await assertIsOwner(tx, actor)
  }
  const request = await decide(tx, actor, id, 'approved')
  const granted = rolesOf(roles).length > 0 ? roleFlags(roles) : roleFlags({ student: true })
  const added = await addMember(tx, actor.organizationId, request.accountId, granted, actor)
  if (!added) throw platformErrors.personIsMember()
  if (added.owner) await notifyOwners(tx, actor, 'made', { orgUserId: added.id, accountId: request.accountId })
  const subject = { kind: 'join_request', id } as const
  emit(tx, actor, { kind: 'join_request.approved', subject, after: { roles: rolesOf(granted) } })
  return { id }
}

/**
 * Declines a join request, and enqueues a mail to the person.
 * Implements interface §Other.
 */
export async function declineJoinRequest(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  await decide(tx, actor, id, 'declined')
  emit(tx, actor, { kind: 'join_request.declined', subject: { kind: 'join_request', id } })
  return { id }
}

async function decide(tx: Tx, actor: Actor, id: number, status: 'approved' | 'declined'): Promise<JoinRequest> {
  const { organizationId } = actor
  const request = await lockJoinRequest(tx, organizationId, id)
  if (request.status !== 'pending') throw identityErrors.requestDecided({ decision: request.status })
  tx.em.assign(request, { status, decidedBy: actor.orgUserId, decidedAt: tx.now })
  await tx.em.flush()
  tx.enqueue(mailJoinDecision, { organizationId, joinRequestId: id })
  return request
}
