import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden, NotFound } from '../../platform/kernel/errors.ts'
import { Notification } from './notification.entity.ts'

/**
 * Marks a notification as read; a read one stays unchanged.
 * Implements interface §Notifications, POST /notifications/{notificationId}.
 * @throws NotFound when the organization has no notification with this id.
 * @throws Forbidden when it is another member's.
 */
export async function markRead(tx: Tx, actor: Actor, id: number): Promise<void> {
  const notification = await tx.em.findOne(Notification, { organizationId: actor.organizationId, id })
  if (!notification) throw new NotFound()
  if (notification.membershipId !== actor.orgUserId) throw new Forbidden('This is not your notification.')
  notification.readAt ??= tx.now
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
