import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { Organization } from '../organizations/organization.entity.ts'
import { Membership } from './membership.entity.ts'

/**
 * Makes an account a member with the organization's default billing mode, and approves its pending join request. An
 * owner also becomes an admin.
 * Returns null when the account is already a member.
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

/** Returns the error for an account that is already a member. */
export function alreadyMember(): Invalid {
  return new Invalid('You are a member of this organization already.', 'ALREADY_EXISTS')
}
