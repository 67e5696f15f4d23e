import { readSettings } from '../../platform/authz/organization-settings.ts'
import { type RoleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import { Membership } from '../members.tables.ts'
import { loadOrganization } from '../organizations/organization.access.ts'
import { JoinRequest } from '../organizations.tables.ts'
import { findNamesake } from './managed-member.queries.ts'
import { findMemberIfAny } from './member.access.ts'

/**
 * Makes an account a member with the organization's default billing mode, and approves its pending join request. An
 * owner also becomes an admin. Returns null when the account is already a member. When a managed member has the
 * account's address, admins are notified; the two memberships stay separate.
 * @param by who adds the person; absent when they join themselves
 */
export async function addMember(
  tx: Tx,
  organizationId: number,
  accountId: number,
  roles: RoleFlags,
  by?: Cause,
): Promise<Membership | null> {
  if (await findMemberIfAny(tx, organizationId, { accountId })) return null
  const organization = await loadOrganization(tx, organizationId)
  const membership = tx.em.create(Membership, {
    organizationId,
    accountId,
    ...roles,
    admin: roles.admin || roles.owner,
    billingMode: readSettings(organization.settings).defaultBillingMode,
  })
  await tx.em.flush()
  await approvePending(tx, organizationId, accountId)
  const joined = { organizationId, orgUserId: membership.id }
  const subject = { kind: 'member', id: membership.id } as const
  emit(tx, by ?? joined, { kind: 'member.joined', subject, after: { roles: rolesOf(membership) } })
  const namesake = await findNamesake(tx.db, organizationId, membership.id)
  if (namesake) emit(tx, joined, { kind: 'member.recognized', subject, after: { orgUserId: namesake.managedId } })
  return membership
}

/** Approves the pending join request of an account. */
export async function approvePending(tx: Tx, organizationId: number, accountId: number): Promise<void> {
  await tx.em.nativeUpdate(
    JoinRequest,
    { organizationId, accountId, status: 'pending' },
    { status: 'approved', decidedAt: tx.now },
  )
}
