import { admins, deskStaff, fileKeepers, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endUploadForms } from '../../platform/storage/upload-forms.ts'
import { Invitation } from '../organizations.tables.ts'
import { endDeskGrants } from './give-desk-grant.ts'
import { rolesBeyond } from './roles.rules.ts'

interface MemberRef {
  organizationId: number
  /** The member's orgUserId. */
  id: number
}

/**
 * Ends the open work that a member may not have with these roles (null: no longer a member). Deletes invitations sent
 * by the member: those with a role that the member can no longer grant, and, unless the member is an admin, those to
 * take over a membership. Ends upload forms and desk grants that the roles do not permit. The caller holds the organization's lock,
 * which the use cases that start such work also take.
 */
export async function endOpenWork(tx: Tx, member: MemberRef, roles: RoleFlags | null): Promise<void> {
  await endInvitations(tx, member, roles)
  await endDeskGrants(tx, member, roles)
  if (!roles || !hasRole(roles, fileKeepers)) await endUploadForms(tx, 'resource_file', member)
  if (!roles) await endUploadForms(tx, 'document', member)
  else if (!hasRole(roles, deskStaff)) await endUploadForms(tx, 'document', member, 'not-own')
}

async function endInvitations(tx: Tx, { organizationId, id }: MemberRef, roles: RoleFlags | null): Promise<void> {
  const beyond = rolesBeyond(roles)
  const claims = roles && hasRole(roles, admins) ? [] : [{ membershipId: { $ne: null } }]
  if (beyond.length + claims.length === 0) return
  await tx.em.nativeDelete(Invitation, {
    organizationId,
    invitedBy: id,
    acceptedAt: null,
    $or: [...beyond.map((role) => ({ [role]: true })), ...claims],
  })
}
