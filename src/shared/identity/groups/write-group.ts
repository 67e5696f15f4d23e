import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { MemberGroup } from '../members.tables.ts'
import { assertIsMembers, lockGroup } from './group.access.ts'

export interface GroupChanges {
  name?: string | undefined
  description?: string | null | undefined
  orgUserIds?: number[] | undefined
}

/**
 * Creates a group with the given members; without members by default.
 * Implements interface §Groups, POST /groups.
 */
export async function createGroup(
  tx: Tx,
  actor: Actor,
  input: GroupChanges & { name: string },
): Promise<{ id: number }> {
  const { organizationId } = actor
  const group = tx.em.create(MemberGroup, { organizationId, name: input.name, description: input.description ?? null })
  await tx.em.flush()
  await replaceMembers(tx, organizationId, group.id, input.orgUserIds ?? [])
  return { id: group.id }
}

/**
 * Changes the given fields. `orgUserIds` replaces the whole list.
 * Implements interface §Groups, PATCH /groups/{id}.
 */
export async function updateGroup(tx: Tx, actor: Actor, id: number, changes: GroupChanges): Promise<{ id: number }> {
  const group = await lockGroup(tx, actor, id)
  group.name = changes.name ?? group.name
  if (changes.description !== undefined) group.description = changes.description
  if (changes.orgUserIds) await replaceMembers(tx, actor.organizationId, id, changes.orgUserIds)
  return { id }
}

async function replaceMembers(tx: Tx, organizationId: number, groupId: number, given: number[]): Promise<void> {
  const orgUserIds = [...new Set(given)]
  await tx.db
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  if (orgUserIds.length === 0) return
  await assertIsMembers(tx, organizationId, orgUserIds)
  await tx.db
    .insertInto('group_member')
    .values(orgUserIds.map((id) => ({ organization_id: organizationId, group_id: groupId, membership_id: id })))
    .execute()
}
