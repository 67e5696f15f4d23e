import { Account } from '../identity/accounts/account.entity.ts'
import { endMembership, mustNotBeLastOwner } from '../identity/members/leave-organization.ts'
import { Membership } from '../identity/members/membership.entity.ts'
import { lockOrganization } from '../identity/organizations/lock-organization.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { lockMembers } from '../scheduling/reservations/lock-slots.ts'
import { findBookingsAhead, unassignMember } from './unassign-member.ts'

/**
 * Deletes one's own account: every membership ends, bookings ahead are cancelled or freed, tokens, links and devices
 * go, and the address is free again and stored no more. The row stays with the name, for past bookings and invoices.
 * @throws Conflict LAST_OWNER when an organization would be left without an owner.
 */
export async function deleteAccount(tx: Tx, accountId: number): Promise<void> {
  const memberships = await tx.em.find(
    Membership,
    { accountId, removedAt: null },
    // One order for everybody, so that two who leave at once do not wait for each other in a circle.
    { orderBy: { organizationId: 'asc' } },
  )
  await lockMembers(
    tx.db,
    memberships.map(({ id }) => id),
  )
  for (const member of memberships) {
    const organization = await lockOrganization(tx, member.organizationId)
    await mustNotBeLastOwner(tx, member, organization)
    const leaving = { organizationId: organization.id, orgUserId: member.id }
    await unassignMember(tx, leaving, await findBookingsAhead(tx, leaving), leaving)
    await endMembership(tx, member)
  }
  const account = await tx.em.findOneOrFail(Account, accountId)
  // Invitations that were accepted still name the address they went to.
  await tx.db.deleteFrom('invitation').where('email', '=', account.email).where('accepted_at', 'is not', null).execute()
  tx.em.assign(account, { email: '', phone: null, passwordHash: '', activeMembershipId: null, deletedAt: tx.now })
  for (const table of ['push_device', 'mail_token', 'sign_in_network'] as const) {
    await tx.db.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
  await tx.db.deleteFrom('join_request').where('account_id', '=', accountId).where('status', '=', 'pending').execute()
  await tx.db.deleteFrom('idempotency_key').where('owner', '=', `account:${accountId}`).execute()
}
