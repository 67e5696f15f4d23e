import type { Actor } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import type { Membership } from '../members.tables.ts'
import { Invitation } from '../organizations.tables.ts'
import { findHeld } from './managed-member.queries.ts'
import { actsAsRegistrar, assertIsForRegistrar, assertMayGiveAddress } from './registrar.access.ts'

/**
 * The facts about a person that an organization may change: `externalId` of every member, the others only of members
 * without an account.
 */
export interface ContactChanges {
  name?: string | undefined
  /** Lower case. */
  email?: string | null | undefined
  phone?: string | null | undefined
  externalId?: string | null | undefined
}

const ownFields = ['name', 'email', 'phone'] as const

/**
 * Changes the organization's facts about a member. When the email address changes, deletes the open invitations to take
 * over the membership. A registrar changes members without an account who are only student or renter.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function changeContacts(
  tx: Tx,
  actor: Pick<Actor, 'organizationId' | 'orgUserId' | 'name' | 'grant'>,
  member: Membership,
  changes: ContactChanges,
): Promise<void> {
  const { organizationId, id } = member
  assertIsForRegistrar(actor, roleFlags(member))
  if (actsAsRegistrar(actor) && member.accountId != null) throw identityErrors.registrarLimits()
  const own = ownFields.find((field) => changes[field] !== undefined)
  if (own && member.accountId != null) throw identityErrors.contactsAreOwn({ field: own })
  const before = {
    name: member.searchName,
    email: member.searchEmail,
    phone: member.phone,
    externalId: member.externalId,
  }
  const { name, phone, externalId } = changes
  const email = changes.email === undefined ? undefined : (changes.email ?? '')
  if (email !== undefined && email !== before.email) await assertMayGiveAddress(tx, actor, member)
  await assertIsFree(tx, organizationId, [{ email, externalId }], id)
  if (name !== undefined) member.searchName = name
  if (email !== undefined) member.searchEmail = email
  if (phone !== undefined) member.phone = phone
  if (externalId !== undefined) member.externalId = externalId
  if (email !== undefined && email !== before.email) await endClaims(tx, member)
  const fields = (['name', 'email', 'phone', 'externalId'] as const).filter((field) => {
    const change = field === 'email' ? email : changes[field]
    return change !== undefined && change !== (before[field] ?? null)
  })
  if (fields.length > 0) emit(tx, actor, { kind: 'member.changed', subject: { kind: 'member', id }, after: { fields } })
}

/** Deletes the open invitations to take over a managed membership. */
export async function endClaims(
  tx: Tx,
  { organizationId, id }: Pick<Membership, 'organizationId' | 'id'>,
): Promise<void> {
  await tx.em.nativeDelete(Invitation, { organizationId, membershipId: id, acceptedAt: null })
}

/** Ensures that no member except `exceptId` has one of the email addresses or external ids. */
export async function assertIsFree(
  tx: Tx,
  organizationId: number,
  wanted: readonly Pick<ContactChanges, 'email' | 'externalId'>[],
  exceptId = 0,
): Promise<void> {
  const emails = wanted.flatMap(({ email }) => email || [])
  const keys = wanted.flatMap(({ externalId }) => externalId || [])
  const held = await findHeld(tx.db, organizationId, { emails, keys, exceptId })
  if (held === 'address') throw platformErrors.memberAddressTaken()
  if (held === 'key') throw platformErrors.externalIdTaken()
}
