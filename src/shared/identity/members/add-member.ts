import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { Organization } from '../organizations/organization.entity.ts'
import { Membership } from './membership.entity.ts'

/**
 * Makes an account a member, billed the organization's default way. Null when it is one already.
 * An owner is always an admin too. However the person came in, a join request of theirs no longer waits.
 */
export async function addMember(
  tx: Tx,
  organizationId: number,
  accountId: number,
  roles: RoleFlags,
): Promise<Membership | null> {
  if (await tx.em.findOne(Membership, { organizationId, accountId, removedAt: null })) return null
  const organization = await tx.em.findOneOrFail(Organization, organizationId)
  const membership = tx.em.create(Membership, {
    organizationId,
    accountId,
    ...roles,
    admin: roles.admin || roles.owner,
    billingMode: readSettings(organization.settings).defaultBillingMode,
  })
  await tx.em.flush()
  await tx.db
    .updateTable('join_request')
    .set({ status: 'approved', decided_at: tx.now, updated_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .execute()
  return membership
}

/** The refusal of somebody who is in already. */
export function memberAlready(): Invalid {
  return new Invalid('You are a member of this organization already.', 'ALREADY_EXISTS')
}
