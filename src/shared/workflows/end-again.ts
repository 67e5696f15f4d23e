import { endAccess, loadAccount } from '../identity/accounts/account.access.ts'
import { findOwners } from '../identity/members/owner.queries.ts'
import type { Membership } from '../identity/members.tables.ts'
import { type Role, roles, rolesOf } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { lockBookingsAhead } from './bookings-ahead.access.ts'
import { deleteOrganization } from './create-organization.ts'
import { eraseAccount } from './delete-account.ts'
import { endMember } from './end-member.ts'
import { erasePerson } from './erase-member.ts'
import { findMembershipsById, findMembershipsOfAccount, findUnerasedById } from './membership.access.ts'

/**
 * After a restore, the deletions and removals that happened after the backup are repeated. They take no locks against others, because
 * the database has no other clients. They check no rights, because these were checked the first time. An organization may be left without
 * an owner.
 */

/** The ids of the rows that had ended. `taken`: for each role, the memberships that no longer had this role. */
export interface EndedPeople {
  organization: readonly number[]
  account: readonly number[]
  /** Accounts whose access had ended. */
  access: readonly number[]
  membership: readonly number[]
  /** Memberships whose person was erased. */
  person: readonly number[]
  taken: Record<Role, readonly number[]>
}

/** Repeats, in a restored database, all endings in `ended`: deletions, removals, erasures, lost roles and ended access. */
export async function endAgain(tx: Tx, ended: EndedPeople): Promise<void> {
  for (const organizationId of ended.organization) {
    const [owner] = await findOwners(tx.db, organizationId)
    if (owner) await deleteOrganization(tx, { organizationId, accountId: owner.accountId })
  }
  await endMembers(tx, await findMembershipsById(tx, ended.membership))
  for (const accountId of ended.account) {
    await endMembers(tx, await findMembershipsOfAccount(tx, accountId))
    await eraseAccount(tx, accountId)
  }
  for (const member of await findUnerasedById(tx, ended.person)) {
    await erasePerson(tx, { organizationId: member.organizationId, orgUserId: null, name: 'restore' }, member)
  }
  for (const role of roles) await takeRole(tx, role, await findMembershipsById(tx, ended.taken[role]))
  for (const accountId of ended.access) {
    const account = await loadAccount(tx, accountId)
    await endAccess(tx, account)
    // Somebody else may have known the password, so it is removed. The user sets a new one by mail.
    account.passwordHash = ''
  }
}

async function endMembers(tx: Tx, members: readonly Membership[]): Promise<void> {
  for (const member of members) {
    const leaving = { organizationId: member.organizationId, orgUserId: member.id }
    await endMember(tx, leaving, member, await lockBookingsAhead(tx, leaving))
    await tx.em.flush()
  }
}

async function takeRole(tx: Tx, role: Role, members: readonly Membership[]): Promise<void> {
  for (const member of members) {
    const { id, organizationId } = member
    const before = { roles: rolesOf(member) }
    tx.em.assign(member, { [role]: false })
    const by = { organizationId, orgUserId: null, name: 'restore' }
    const subject = { kind: 'member', id } as const
    emit(tx, by, { kind: 'member.roles_changed', subject, before, after: { roles: rolesOf(member) } })
  }
}
