import type { DomainEvent } from '../../../shared/communication/notifications/notifications.jobs.ts'
import type { JoinRequestTemplateData } from '../../../shared/communication/notifications/templates/join-request.rules.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** Returns a join request that is still pending; null otherwise. */
export async function pendingJoinRequest(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<JoinRequestTemplateData | null> {
  const row = await database.db
    .selectFrom('join_request')
    .innerJoin('account', 'account.id', 'join_request.account_id')
    .innerJoin('organization', 'organization.id', 'join_request.organization_id')
    .select(['join_request.id', 'account.name', 'organization.name as organization'])
    .where('join_request.organization_id', '=', organizationId)
    .where('join_request.id', '=', subjectId)
    .where('join_request.status', '=', 'pending')
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
