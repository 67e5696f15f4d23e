import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import { Membership } from './membership.entity.ts'

/**
 * Returns a member of the organization by orgUserId or account id, for a change.
 * @throws NotFound when the organization has no such member.
 */
export async function findMember(
  tx: Tx,
  organizationId: number,
  by: { id: number } | { accountId: number },
): Promise<Membership> {
  const member = await tx.em.findOne(Membership, { ...by, organizationId, removedAt: null })
  if (!member) throw new NotFound()
  return member
}

/** Returns the roles of the other owners and admins. The caller holds the organization's lock. */
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
