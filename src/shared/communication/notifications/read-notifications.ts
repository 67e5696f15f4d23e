import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { communicationErrors } from '../communication.errors.ts'
import { findOwner } from './notification.queries.ts'

/**
 * Marks a notification of the actor as read. The time of the first reading stays.
 * Implements interface §Notifications, POST /notifications/{notificationId}.
 */
export async function markRead(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { organizationId, orgUserId } = actor
  const owner = await findOwner(tx.db, organizationId, id)
  if (owner !== orgUserId) throw communicationErrors.notYourNotification()
  await tx.db
    .updateTable('notification')
    .set({ read_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .execute()
}

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
