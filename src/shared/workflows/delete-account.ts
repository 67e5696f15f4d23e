import { tellOwnersOfWebhooks } from '../communication/webhooks/put-webhook.ts'
import { loadAccount } from '../identity/accounts/account.access.ts'
import { endMembership, mustNotBeLastOwner } from '../identity/members/leave-organization.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import { Invitation, JoinRequest } from '../identity/organizations/organization.entity.ts'
import { rolesOf } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { deleteDocumentsOf } from '../qualification/documents/delete-document.ts'
import { lockMembers } from '../scheduling/reservations/slots.access.ts'
import { lockBookingsAhead } from './bookings-ahead.access.ts'
import { findMembershipsOfAccount } from './membership.access.ts'
import { unassignMember } from './unassign-member.ts'

/**
 * Soft-deletes the actor's account: memberships end, future bookings are cancelled or lose the seat, and documents with
 * their files, tokens, links, devices and the address are deleted. The row remains with the name, for past bookings and invoices.
 * Implements interface §Members, DELETE /users.
 * @throws Conflict LAST_OWNER when an organization would be left without an owner.
 */
export async function deleteAccount(tx: Tx, accountId: number): Promise<void> {
  const memberships = await findMembershipsOfAccount(tx, accountId)
  await lockMembers(
    tx.db,
    memberships.map(({ id }) => id),
  )
  for (const member of memberships) {
    const organization = await lockOrganization(tx, member.organizationId)
    await mustNotBeLastOwner(tx, member, organization)
    const leaving = { organizationId: organization.id, orgUserId: member.id }
    await unassignMember(tx, leaving, await lockBookingsAhead(tx, leaving), leaving)
    const before = { roles: rolesOf(member) }
    emit(tx, leaving, { kind: 'member.removed', subject: { kind: 'member', id: member.id }, before })
    await deleteDocumentsOf(tx, leaving, leaving)
    await tellOwnersOfWebhooks(tx, leaving)
    await endMembership(tx, member)
  }
  const account = await loadAccount(tx, accountId)
  // Accepted invitations also contain the address.
  await tx.em.nativeDelete(Invitation, { email: account.email, acceptedAt: { $ne: null } })
  tx.em.assign(account, { email: '', phone: null, passwordHash: '', activeMembershipId: null, deletedAt: tx.now })
  await tx.db.deleteFrom('push_device').where('account_id', '=', accountId).execute()
  await tx.db.deleteFrom('mail_token').where('account_id', '=', accountId).execute()
  await tx.db.deleteFrom('sign_in_network').where('account_id', '=', accountId).execute()
  await tx.em.nativeDelete(JoinRequest, { accountId, status: 'pending' })
  await tx.db.deleteFrom('idempotency_key').where('owner', '=', `account:${accountId}`).execute()
}
