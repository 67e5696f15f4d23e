import { type Actor, assertIsVerified } from '../../platform/authz/actor.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import { admins, type RoleFlags, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { assertIsFree } from '../members/change-contacts.ts'
import { assertStillIs } from '../members/member.access.ts'
import { countMembers } from '../members/org-user.queries.ts'
import { assertIsForRegistrar } from '../members/registrar.access.ts'
import { leadingRole } from '../members/roles.rules.ts'
import { Membership } from '../members.tables.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { createProfiles, type ProfileChanges } from './change-profile.ts'

/** An organization's facts about a person without an account. */
export interface ManagedMember {
  name: string
  /** Lower case; unique among the organization's members. */
  email?: string | null | undefined
  phone?: string | null | undefined
  /** The key of the person in the organization's own system, unique among its members. */
  externalId?: string | null | undefined
  /** A student when none is given. */
  roles?: Partial<RoleFlags> | undefined
  profile?: Omit<ProfileChanges, 'verify'> | null | undefined
}

/**
 * Adds a member without an account, with the organization's default billing mode. Sends no mail.
 * Implements interface §Members, POST /orgUsers.
 */
export async function createManagedMember(tx: Tx, actor: Actor, input: ManagedMember): Promise<{ id: number }> {
  const [made] = await createManagedMembers(tx, actor, [input])
  return made!
}

/**
 * Adds several members without an account, with as many SQL statements as for one. Returns their ids in the order of
 * `inputs`.
 * @param may `admin`: the caller may grant admin, as an import by an owner does
 */
export async function createManagedMembers(
  tx: Tx,
  actor: Actor,
  inputs: readonly ManagedMember[],
  may: { admin?: boolean } = {},
): Promise<{ id: number }[]> {
  const { organizationId } = actor
  if (inputs.some(({ email }) => email != null)) assertIsVerified(actor)
  const organization = await lockOrganization(tx, organizationId)
  await assertStillIs(tx, actor, admins)
  const { defaultBillingMode: billingMode } = readSettings(organization.settings)
  await assertIsFree(tx, organizationId, inputs)
  const members = inputs.map(({ name, email, phone = null, externalId = null, roles: given = {} }) => {
    const roles = roleFlags(rolesOf(given).length > 0 ? given : { student: true })
    assertIsForRegistrar(actor, roles)
    const leading = leadingRole(roles)
    if (leading && !(leading === 'admin' && may.admin)) throw identityErrors.managedLeads({ field: leading })
    return tx.em.create(Membership, {
      organizationId,
      accountId: null,
      ...roles,
      billingMode,
      searchName: name,
      searchEmail: email ?? '',
      phone,
      externalId,
    })
  })
  await tx.em.flush()
  for (const member of members) {
    const after = { roles: rolesOf(member) }
    emit(tx, actor, { kind: 'member.created', subject: { kind: 'member', id: member.id }, after })
  }
  const profiles = inputs.flatMap(({ profile }, at) => (profile ? [{ member: members[at]!, changes: profile }] : []))
  await createProfiles(tx, actor, profiles)
  return members.map(({ id }) => ({ id }))
}

/** The most members of an organization; above it no managed member is added. */
const MOST_MEMBERS = 100_000

/**
 * Ensures that an organization may have more members.
 * @param factor multiplies the limit
 */
export async function assertHasRoomForMembers(tx: Tx, organizationId: number, factor: number): Promise<void> {
  const most = MOST_MEMBERS * factor
  if ((await countMembers(tx.db, organizationId, most)) >= most) {
    throw identityErrors.membersFull({ retryAfterSeconds: 86_400 })
  }
}
