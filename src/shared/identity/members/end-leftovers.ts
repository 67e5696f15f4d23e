import { deskStaff, fileKeepers, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { endUploadForms } from '../../platform/storage/upload-forms.ts'
import { rolesBeyond } from './roles.rules.ts'

interface Former {
  organizationId: number
  /** The orgUserId. */
  id: number
}

/**
 * Ends what a member began and could not begin with these roles (null: a member no more): open invitations that give
 * more than they may give, upload forms for what they may not add. Call behind the organization's lock, which those
 * who begin such things take too.
 */
export async function endLeftovers(tx: Tx, member: Former, roles: RoleFlags | null): Promise<void> {
  await endInvitations(tx, member, roles)
  if (!roles || !hasRole(roles, fileKeepers)) await endUploadForms(tx, 'resource_file', member)
  if (!roles) await endUploadForms(tx, 'document', member)
  else if (!hasRole(roles, deskStaff)) await endUploadForms(tx, 'document', member, 'not-own')
}

async function endInvitations(tx: Tx, { organizationId, id }: Former, roles: RoleFlags | null): Promise<void> {
  const beyond = rolesBeyond(roles)
  if (beyond.length === 0) return
  await tx.db
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', id)
    .where('accepted_at', 'is', null)
    .where((eb) => eb.or(beyond.map((role) => eb(role, '=', true))))
    .execute()
}
