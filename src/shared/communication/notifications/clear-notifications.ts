import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Deletes all notifications of the actor in their organization.
 * Implements interface §Notifications, POST /notifications.
 */
export async function clearNotifications(tx: Tx, { organizationId, orgUserId }: Actor): Promise<void> {
  await tx.db
    .deleteFrom('notification')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
}
