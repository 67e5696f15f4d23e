import { loadAccount } from '../identity/accounts/account.access.ts'
import { assertIsNotLastOwner } from '../identity/members/end-membership.ts'
import { lockOrganization } from '../identity/organizations/organization.access.ts'
import { Invitation, JoinRequest } from '../identity/organizations.tables.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { lockMembers } from '../scheduling/reservations/slots.access.ts'
import { lockBookingsAhead } from './bookings-ahead.access.ts'
import { endMember } from './end-member.ts'
import { findMembershipsOfAccount } from './membership.access.ts'

/**
 * Soft-deletes an account: memberships end, future bookings are cancelled or lose the seat, and documents with their
 * files, links, devices, phone number and address are deleted. The row remains with the name, for past bookings and
 * invoices.
 * Implements interface §Members, DELETE /users.
 */
export async function deleteAccount(tx: Tx, accountId: number): Promise<void> {
  const memberships = await findMembershipsOfAccount(tx, accountId)
  await lockMembers(
    tx.db,
    memberships.map(({ id }) => id),
  )
  for (const member of memberships) {
    const organization = await lockOrganization(tx, member.organizationId)
    await assertIsNotLastOwner(tx, member, organization)
    const leaving = { organizationId: organization.id, orgUserId: member.id }
    await endMember(tx, leaving, member, await lockBookingsAhead(tx, leaving))
  }
  await eraseAccount(tx, accountId)
}

/**
 * Erases the personal data of an account: address, phone number, password, links, devices. The name stays.
 * Implements interface §Members, DELETE /users.
 */
export async function eraseAccount(tx: Tx, accountId: number): Promise<void> {
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
