import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { Membership } from './membership.entity.ts'

/** A member of the organization by orgUserId or by user id, for a change. @throws NotFound */
export async function findMember(
  tx: Tx,
  organizationId: number,
  by: { id: number } | { accountId: number },
): Promise<Membership> {
  const member = await tx.em.findOne(Membership, { ...by, organizationId, removedAt: null })
  if (!member) throw new NotFound()
  return member
}

/** The other members of the organization who are owners or admins, as they stand behind its lock. */
export function otherLeaders(tx: Tx, member: Pick<Membership, 'id' | 'organizationId'>) {
  return tx.db
    .selectFrom('membership')
    .select(['owner', 'admin'])
    .where('organization_id', '=', member.organizationId)
    .where('removed_at', 'is', null)
    .where('id', '<>', member.id)
    .where((eb) => eb.or([eb('owner', '=', true), eb('admin', '=', true)]))
    .execute()
}
