import { endAccess, endResetLinks, lockAccount } from '../identity/accounts/account.access.ts'
import { createMailToken } from '../identity/accounts/issue-mail-token.ts'
import { Account } from '../identity/accounts.tables.ts'
import { addMember } from '../identity/members/add-member.ts'
import { findMemberIfAny } from '../identity/members/member.access.ts'
import { findOwners, findOwnerships, type Ownership } from '../identity/members/owner.queries.ts'
import { loadOrganization } from '../identity/organizations/organization.access.ts'
import { mailOperatorActed, type operatorCommands } from '../identity/organizations/organizations.jobs.ts'
import type { MailTokens } from '../platform/adapters/tokens/mail-tokens.ts'
import { roleFlags, rolesOf } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { createOrganization, type NewOrganization } from './create-organization.ts'

/** The commands of operators about owners of organizations. Each command emits an event and mails all owners. */

/** The operator: a user of the operating system. */
export interface Operator {
  osUser: string
}

/** A refused command of an operator. The message is the line that the command prints. */
export class OperatorRefused extends Error {}

/**
 * Makes a person an owner and admin of an organization. Uses the account of the address, or creates one. The returned token, valid for 1
 * hour, sets the password of a new account; it is null for an existing account.
 */
export async function makeOwner(
  tx: Tx,
  mailTokens: MailTokens,
  by: Operator,
  input: { organizationId: number; email: string; name: string },
): Promise<{ token: string | null }> {
  const { organizationId, email, name } = input
  await loadOrganization(tx, organizationId)
  const { account, isNew } = await lockOrCreate(tx, { email, name })
  const added = await addMember(tx, organizationId, account.id, roleFlags({ owner: true, admin: true }))
  const member = added ?? (await findMemberIfAny(tx, organizationId, { accountId: account.id }))
  if (!member) throw new OperatorRefused('the person is no member')
  if (!added) {
    const before = { roles: rolesOf(member) }
    tx.em.assign(member, { owner: true, admin: true })
    const cause = { organizationId, orgUserId: null, name: `operator ${by.osUser}` }
    const subject = { kind: 'member', id: member.id } as const
    emit(tx, cause, { kind: 'member.roles_changed', subject, before, after: { roles: rolesOf(member) } })
  }
  await tx.em.flush()
  await notifyOwners(tx, by, 'owner create', account.id, [
    { organizationId, orgUserId: member.id, accountId: account.id },
  ])
  return { token: isNew ? (await createMailToken(tx, mailTokens, account.id, 'reset_password')).token : null }
}

/**
 * Creates an organization with a person as its owner. Uses the account of the address, or creates one. The returned token, valid for 1
 * hour, sets the password of a new account; it is null for an existing account. `MOST_ORGANIZATIONS` does not apply to operators.
 */
export async function foundOrganization(
  tx: Tx,
  mailTokens: MailTokens,
  by: Operator,
  owner: { email: string; name: string },
  input: NewOrganization,
): Promise<{ id: number; token: string | null }> {
  const { account, isNew } = await lockOrCreate(tx, owner)
  const founded = await createOrganization(tx, account.id, input, Number.MAX_SAFE_INTEGER)
  await tx.em.flush()
  const { organizationId, membershipId } = founded
  if (organizationId === null || membershipId === null) throw new Error('who founds an organization is its member')
  await notifyOwners(tx, by, 'org create', account.id, [
    { organizationId, orgUserId: membershipId, accountId: account.id },
  ])
  const token = isNew ? (await createMailToken(tx, mailTokens, account.id, 'reset_password')).token : null
  return { id: organizationId, token }
}

/** Returns the account of an address, locked, or a new one without a password. */
async function lockOrCreate(tx: Tx, { email, name }: { email: string; name: string }) {
  const existing = await lockAccount(tx, { email })
  const account = existing ?? tx.em.create(Account, { name, email, passwordHash: '', tokensValidFrom: tx.now })
  await tx.em.flush()
  return { account, isNew: !existing }
}

/**
 * Creates a link, valid for 1 hour, with which an owner sets a new password. Invalidates earlier links. Returns the link's token.
 * @throws OperatorRefused when the address is not an owner's.
 */
export async function makeResetLink(tx: Tx, mailTokens: MailTokens, by: Operator, email: string): Promise<string> {
  const { account, owned } = await lockOwner(tx, email)
  await endResetLinks(tx, account.id)
  const { token } = await createMailToken(tx, mailTokens, account.id, 'reset_password')
  await notifyOwners(tx, by, 'owner reset-password', account.id, owned)
  return token
}

/**
 * Ends all access of an owner: tokens, links, calendar addresses, push devices, connected accounts. The password
 * stays.
 * @throws OperatorRefused when the address is not an owner's.
 */
export async function signOutOwner(tx: Tx, by: Operator, email: string): Promise<void> {
  const { account, owned } = await lockOwner(tx, email)
  await endAccess(tx, account)
  await notifyOwners(tx, by, 'owner sign-out', account.id, owned)
}

async function lockOwner(tx: Tx, email: string) {
  const account = await lockAccount(tx, { email })
  const owned = account ? await findOwnerships(tx.db, account.id) : []
  if (!account || owned.length === 0) throw new OperatorRefused(`${email} is no owner of an organization`)
  return { account, owned }
}

async function notifyOwners(
  tx: Tx,
  { osUser }: Operator,
  command: (typeof operatorCommands)[number],
  aboutAccountId: number,
  owned: Ownership[],
): Promise<void> {
  const at = tx.now.toISOString()
  for (const { organizationId, orgUserId } of owned) {
    const cause = { organizationId, orgUserId: null, name: `operator ${osUser}` }
    emit(tx, cause, { kind: 'operator.acted', subject: { kind: 'member', id: orgUserId }, after: { command } })
    for (const { accountId } of await findOwners(tx.db, organizationId)) {
      tx.enqueue(mailOperatorActed, { organizationId, accountId, aboutAccountId, command, at })
    }
  }
}
