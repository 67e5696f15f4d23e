import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { JoinRequestTemplateData } from '../../../shared/communication/notifications/templates/organization.rules.ts'
import { findPendingJoinRequest } from '../../../shared/identity/joining/join-request.queries.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** Returns a join request that is still pending; null otherwise. */
export function pendingJoinRequest(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<JoinRequestTemplateData | null> {
  return findPendingJoinRequest(database.db, organizationId, subjectId)
}
