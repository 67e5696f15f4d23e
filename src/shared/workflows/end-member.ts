import { endCards } from '../billing/autopay/set-autopay.ts'
import { notifyOwnersOfWebhooks } from '../communication/webhooks/write-webhook.ts'
import { endMembership } from '../identity/members/end-membership.ts'
import { notifyOwners } from '../identity/members/notify-owners.ts'
import type { Membership } from '../identity/members.tables.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { rolesOf } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { endOperationsOf } from '../platform/operations/end-operations.ts'
import { dropFiles } from '../platform/operations/operation-file.access.ts'
import { deleteDocumentsOf } from '../qualification/documents/delete-document.ts'
import type { BookingAhead } from './bookings-ahead.access.ts'
import { unassignMember } from './unassign-member.ts'

/**
 * Ends a membership: removes the member from these bookings, and deletes the member's documents with the stored files, except those that
 * the organization must keep by law. The caller holds the locks of the member and the organization. Returns the members for whom the
 * leaving member paid.
 */
export async function endMember(
  tx: Tx,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
  member: Membership,
  bookings: readonly BookingAhead[],
): Promise<Membership[]> {
  const leaving = { organizationId: member.organizationId, orgUserId: member.id }
  await unassignMember(tx, leaving, bookings, by)
  emit(tx, by, {
    kind: 'member.removed',
    subject: { kind: 'member', id: member.id },
    before: { roles: rolesOf(member) },
  })
  if (member.owner) await notifyOwners(tx, by, 'removed', { orgUserId: member.id, accountId: member.accountId })
  await endOperationsOf(tx, leaving)
  await dropFiles(tx, { organizationId: leaving.organizationId, startedBy: leaving.orgUserId })
  await deleteDocumentsOf(tx, by, { ...leaving, leftAt: tx.now })
  await notifyOwnersOfWebhooks(tx, leaving)
  await endCards(tx, member)
  return endMembership(tx, member, { by })
}
