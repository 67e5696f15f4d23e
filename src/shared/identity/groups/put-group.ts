import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid, NotFound } from '../../platform/kernel/errors.ts'
import { MemberGroup } from './group.entity.ts'

export interface GroupChanges {
  name?: string | undefined
  description?: string | null | undefined
  orgUserIds?: number[] | undefined
}

/**
 * Creates a group.
 * @throws Invalid when the name is taken, or an orgUserId is not a member of the organization.
 */
export async function createGroup(
  tx: Tx,
  actor: Actor,
  input: GroupChanges & { name: string },
): Promise<{ id: number }> {
  const { organizationId } = actor
  const group = tx.em.create(MemberGroup, { organizationId, name: input.name, description: input.description ?? null })
  await tx.em.flush()
  await putMembers(tx, organizationId, group.id, input.orgUserIds ?? [])
  return { id: group.id }
}

/**
 * Changes the given fields. `orgUserIds` replaces the whole list.
 * @throws NotFound when the organization has no such group.
 * @throws Invalid when the name is taken, or an orgUserId is not a member of the organization.
 */
export async function updateGroup(tx: Tx, actor: Actor, id: number, changes: GroupChanges): Promise<{ id: number }> {
  const group = await lockGroup(tx, actor, id)
  group.name = changes.name ?? group.name
  if (changes.description !== undefined) group.description = changes.description
  if (changes.orgUserIds) await putMembers(tx, actor.organizationId, id, changes.orgUserIds)
  return { id }
}

/**
 * Returns a group of the actor's organization, locked.
 * @throws NotFound when the organization has no such group.
 */
export async function lockGroup(tx: Tx, { organizationId }: Actor, id: number): Promise<MemberGroup> {
  const group = await tx.em.findOne(MemberGroup, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!group) throw new NotFound()
  return group
}

async function putMembers(tx: Tx, organizationId: number, groupId: number, given: number[]): Promise<void> {
  const orgUserIds = [...new Set(given)]
  await tx.db
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  if (orgUserIds.length === 0) return
  const members = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('id', 'in', orgUserIds)
    .execute()
  const known = new Set(members.map((member) => member.id))
  const unknown = orgUserIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Invalid(`orgUserIds: there is no member ${unknown.join(', ')}`)
  await tx.db
    .insertInto('group_member')
    .values(orgUserIds.map((id) => ({ organization_id: organizationId, group_id: groupId, membership_id: id })))
    .execute()
}
