import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { admins, type Role, type RoleFlags, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { identityErrors } from '../identity.errors.ts'
import { changeContacts } from '../members/change-contacts.ts'
import { assertIsOwner, assertStillIs, findMemberIfAny } from '../members/member.access.ts'
import { notifyOwners } from '../members/notify-owners.ts'
import { isMemberAddress } from '../members/org-user.queries.ts'
import { assertIsForRegistrar } from '../members/registrar.access.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { sendInvitation } from '../organizations/organizations.jobs.ts'
import { Invitation } from '../organizations.tables.ts'
import { lockInvitation, lockInvitationOfAddress } from './invitation.access.ts'

/** Lifetime of an invitation, in days. */
export const INVITATION_DAYS = 14

export interface Invite extends RoleFlags {
  /** May be absent with `orgUserId`: the invitation then goes to the stored address of that member. */
  email?: string | undefined
  /** The managed member that the accepting account takes over. */
  orgUserId?: number | undefined
  name?: string | null | undefined
}

/**
 * Creates an invitation with the given roles, or student when there are none, and enqueues its mail. It replaces an
 * expired invitation to the same address. `by` lists the roles that may invite; a registrar invites students and
 * renters.
 * Implements interface §Organizations, POST /organizations/invite.
 */
export async function inviteMember(
  tx: Tx,
  mailTokens: MailTokens,
  actor: Actor,
  input: Invite,
  by: readonly Role[] = admins,
): Promise<{ id: number }> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  await assertStillIs(tx, actor, by)
  if (input.owner) await assertIsOwner(tx, actor)
  const { email, ...invited } = await whom(tx, actor, input)
  const open = await lockInvitationOfAddress(tx, organizationId, email)
  if (open && open.expiresAt > tx.now) throw platformErrors.addressInvited()
  if (open) await tx.em.remove(open).flush()
  const invitation = tx.em.create(Invitation, {
    ...invited,
    ...mailTokens.draw(),
    organizationId,
    email,
    invitedBy: actor.orgUserId,
    expiresAt: new Date(tx.now.getTime() + INVITATION_DAYS * 86_400_000),
  })
  await tx.em.flush()
  const subject = { kind: 'invitation', id: invitation.id } as const
  emit(tx, actor, { kind: 'invitation.created', subject, after: { roles: rolesOf(roleFlags(invitation)) } })
  tx.enqueue(sendInvitation, { organizationId, invitationId: invitation.id })
  if (invitation.owner) await notifyOwners(tx, actor, 'invited', { invitationId: invitation.id })
  return { id: invitation.id }
}

/**
 * Returns the invited address, and what the invitation grants: the given roles, or a managed membership with the roles
 * that it has. When a managed member is invited at a new address, that address is stored.
 */
async function whom(tx: Tx, actor: Actor, { orgUserId, email, name = null, ...input }: Invite) {
  const flags = roleFlags(rolesOf(input).length > 0 ? input : { student: true })
  if (orgUserId === undefined) {
    assertIsForRegistrar(actor, flags)
    const address = await assertIsNew(tx, actor, assertHas(email))
    return { ...flags, email: address, name, membershipId: null }
  }
  const [role] = rolesOf(input)
  if (role) throw identityErrors.rolesOfMember({ role })
  const member = await findMemberIfAny(tx, actor.organizationId, { id: orgUserId })
  if (!member) throw identityErrors.unknownMember({ field: 'orgUserId' })
  if (member.accountId != null) throw identityErrors.hasAccount({ field: 'orgUserId' })
  assertIsForRegistrar(actor, roleFlags(member))
  const address = await assertIsNew(tx, actor, assertHas(email ?? (member.searchEmail || undefined)), member.id)
  if (address !== member.searchEmail) await changeContacts(tx, actor, member, { email: address })
  return { ...roleFlags(member), email: address, name: name ?? member.searchName, membershipId: member.id }
}

function assertHas(email: string | undefined): string {
  if (email === undefined) throw identityErrors.addressNeeded()
  return email
}

/** Returns the address, which no member of the organization except `exceptId` has. */
async function assertIsNew(tx: Tx, { organizationId }: Actor, email: string, exceptId = 0): Promise<string> {
  if (await isMemberAddress(tx.db, organizationId, email, exceptId)) throw identityErrors.isMember()
  return email
}

/**
 * Deletes an invitation, so that its link no longer works.
 * Implements interface §Organizations, DELETE /organizations/invitations/{id}.
 */
export async function withdrawInvitation(tx: Tx, actor: Actor, id: number): Promise<void> {
  const invitation = await lockInvitation(tx, actor.organizationId, id)
  const before = { roles: rolesOf(roleFlags(invitation)) }
  emit(tx, actor, { kind: 'invitation.deleted', subject: { kind: 'invitation', id }, before })
  tx.em.remove(invitation)
}
