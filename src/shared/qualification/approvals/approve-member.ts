import { lockResource } from '../../fleet/resources/resource.access.ts'
import { findMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'

/** Whether a member is approved on a resource. */
export interface Approval {
  resourceId: number
  userId: number
  orgUserId: number
  approved: boolean
}

/**
 * Approves a member on a resource, or withdraws the approval. Idempotent.
 * Implements interface §Resources (approve, unapprove).
 * @throws NotFound when the organization does not have the resource or the person.
 */
export async function approveMember(
  tx: Tx,
  actor: Actor,
  input: { resourceId: number; userId: number; approved: boolean },
): Promise<Approval> {
  const { resourceId, userId, approved } = input
  const { organizationId } = actor
  await lockResource(tx, actor, resourceId)
  const member = await findMember(tx, organizationId, { accountId: userId })
  if (approved) {
    await tx.db
      .insertInto('resource_approval')
      .values({
        organization_id: organizationId,
        resource_id: resourceId,
        membership_id: member.id,
        approved_by: actor.orgUserId,
      })
      .onConflict((conflict) => conflict.columns(['organization_id', 'resource_id', 'membership_id']).doNothing())
      .execute()
  } else {
    await tx.db
      .deleteFrom('resource_approval')
      .where('organization_id', '=', organizationId)
      .where('resource_id', '=', resourceId)
      .where('membership_id', '=', member.id)
      .execute()
  }
  emit(tx, actor, {
    kind: approved ? 'approval.given' : 'approval.withdrawn',
    subject: { kind: 'member', id: member.id },
    after: { resourceId },
  })
  return { resourceId, userId, orgUserId: member.id, approved }
}
