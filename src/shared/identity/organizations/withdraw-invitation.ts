import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { Invitation } from './organization.entity.ts'

/**
 * Deletes an invitation, so that its link no longer works.
 * @throws NotFound when there is no such invitation, or it is accepted.
 */
export async function withdrawInvitation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { organizationId } = actor
  const invitation = await tx.em.findOne(
    Invitation,
    { id, organizationId, acceptedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!invitation) throw new NotFound()
  tx.em.remove(invitation)
}
