import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { LoweredRule } from '../../../shared/communication/notifications/templates/rules.rules.ts'
import { findLoweredRule } from '../../../shared/scheduling/rules/lowered-rule.queries.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** Loads the rule that was lowered when it happened. */
export function loweredRule(
  { database }: NotificationSources,
  { organizationId, happenedAt }: DomainEvent,
): Promise<LoweredRule | null> {
  return findLoweredRule(database.db, organizationId, new Date(happenedAt))
}
