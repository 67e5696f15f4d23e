import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import { recoveryAsserted, recoveryLarge } from '../../shared/communication/notifications/templates/recovery.rules.ts'
import { findAsserted, findLarge } from '../../shared/scheduling/recoveries/recovery-notices.queries.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationSources,
  withRole,
} from '../communication/notifications/define-notification.ts'

const asserted = ({ database: { db } }: NotificationSources, { organizationId, subjectId }: DomainEvent) =>
  findAsserted(db, organizationId, subjectId)

const large = ({ database: { db } }: NotificationSources, { organizationId, subjectId }: DomainEvent) =>
  findLarge(db, organizationId, subjectId)

/** Returns the instructors whom a cause names, and owners. */
async function instructorsAndOwners(
  { instructorIds }: { instructorIds: readonly number[] },
  sources: NotificationSources,
  { organizationId }: DomainEvent,
) {
  return members([...new Set([...instructorIds, ...(await withRole(sources, organizationId, ['owner']))])])
}

/** The notifications by which owners oversee recoveries. */
export const recoveryNotifications = {
  recovery_asserted: defineNotification(asserted, instructorsAndOwners, recoveryAsserted),
  recovery_large: defineNotification(large, everyone(['owner']), recoveryLarge),
}
