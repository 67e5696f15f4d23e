import type { Actor } from '../../platform/authz/actor.ts'
import { type DeskGrant, deskGrantHolders } from '../../platform/authz/desk-grants.rules.ts'
import { admins, deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { endUploadForms } from '../../platform/storage/upload-forms.ts'
import { identityErrors } from '../identity.errors.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { Invitation } from '../organizations.tables.ts'
import { findDeskGrants } from './desk-grant.queries.ts'
import { assertStillIs, findMemberIfAny } from './member.access.ts'
import { notifyOwners } from './notify-owners.ts'

/**
 * Gives a member a desk grant. All owners are mailed when the member can then take money. The organization's lock
 * serializes this with changes of the member's roles.
 * Implements interface §Desk grants: POST /grants.
 */
export async function giveDeskGrant(
  tx: Tx,
  actor: Actor,
  { orgUserId, grant }: { orgUserId: number; grant: DeskGrant },
): Promise<{ id: number }> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  await assertStillIs(tx, actor, admins)
  if (orgUserId === actor.orgUserId) throw identityErrors.ownGrant()
  const member = await findMemberIfAny(tx, organizationId, { id: orgUserId })
  if (!member) throw identityErrors.unknownMember({ field: 'orgUserId' })
  if (member.accountId == null) throw identityErrors.grantNeedsAccount()
  if (!hasRole(member, deskGrantHolders)) throw identityErrors.grantNeedsRole()
  const given = await tx.db
    .insertInto('desk_grant')
    .values({ organization_id: organizationId, membership_id: orgUserId, kind: grant, granted_by: actor.orgUserId })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!given) throw platformErrors.grantHeld()
  emit(tx, actor, { kind: 'grant.given', subject: { kind: 'member', id: orgUserId }, after: { grant } })
  const held = await findDeskGrants(tx.db, organizationId, orgUserId)
  if (held.includes('cashier')) {
    const change = held.includes('registrar') ? 'cashier_registrar' : 'cashier'
    await notifyOwners(tx, actor, change, { orgUserId })
  }
  return given
}

/**
 * Deletes a desk grant. Invitations of a registrar to take over memberships, and upload forms, end with it.
 * Implements interface §Desk grants: DELETE /grants/{id}.
 */
export async function withdrawDeskGrant(tx: Tx, actor: Actor, id: number): Promise<void> {
  const grant = await tx.db
    .deleteFrom('desk_grant')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returning(['membership_id', 'kind'])
    .executeTakeFirst()
  if (!grant) throw platformErrors.noSuchRecord()
  const subject = { kind: 'member', id: grant.membership_id } as const
  emit(tx, actor, { kind: 'grant.withdrawn', subject, before: { grant: grant.kind } })
  if (grant.kind === 'registrar') await endWorkOfRegistrar(tx, actor.organizationId, grant.membership_id)
}

/**
 * Deletes the open invitations to take over memberships that a former registrar sent who is not an admin, and ends their
 * upload forms for documents of others unless they are desk staff.
 */
async function endWorkOfRegistrar(tx: Tx, organizationId: number, orgUserId: number): Promise<void> {
  const member = await findMemberIfAny(tx, organizationId, { id: orgUserId })
  if (!member || hasRole(member, admins)) return
  if (!hasRole(member, deskStaff)) await endUploadForms(tx, 'document', { organizationId, id: orgUserId }, 'not-own')
  const claims = { organizationId, invitedBy: orgUserId, acceptedAt: null, membershipId: { $ne: null } }
  await tx.em.nativeDelete(Invitation, claims)
}

/**
 * Deletes the desk grants of a member whose roles (null: no longer a member) do not allow them. The service is the
 * cause of the events.
 * Implements interface §Desk grants.
 */
export async function endDeskGrants(
  tx: Tx,
  { organizationId, id }: { organizationId: number; id: number },
  roles: RoleFlags | null,
): Promise<void> {
  if (roles && hasRole(roles, deskGrantHolders)) return
  const ended = await tx.db
    .deleteFrom('desk_grant')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', id)
    .returning('kind')
    .execute()
  for (const { kind: grant } of ended) {
    const cause = { organizationId, orgUserId: null }
    emit(tx, cause, { kind: 'grant.withdrawn', subject: { kind: 'member', id }, before: { grant } })
  }
}
