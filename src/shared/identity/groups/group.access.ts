import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { findKnownMembers } from '../members/org-user.queries.ts'
import { MemberGroup } from '../members.tables.ts'

/** Returns a group of the actor's organization, locked. */
export async function lockGroup(tx: Tx, { organizationId }: Actor, id: number): Promise<MemberGroup> {
  const group = await tx.em.findOne(MemberGroup, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!group) throw platformErrors.noSuchRecord()
  return group
}

/** Ensures that all orgUserIds of a body are members of the organization. */
export async function assertIsMembers(tx: Tx, organizationId: number, orgUserIds: number[]): Promise<void> {
  const known = await findKnownMembers(tx.db, organizationId, orgUserIds)
  const unknown = orgUserIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw identityErrors.unknownMembers({ ids: unknown.join(', ') })
}
