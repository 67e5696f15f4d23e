import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { ChangedBooking } from '../../../shared/communication/notifications/templates/bulk.rules.ts'
import { type BulkSummary, findBulkSummary, findDigest } from '../../../shared/workflows/bulk-digest.queries.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** Returns the recipient's bookings that a bulk changed; null when there are none. */
export async function changedBookings(
  { database }: NotificationSources,
  { organizationId, subjectId: operationId, recipient }: DomainEvent,
): Promise<{ operationId: number; bookings: ChangedBooking[] } | null> {
  if (!recipient) return null
  const bookings = await findDigest(database.db, { organizationId, operationId }, recipient)
  return bookings.length === 0 ? null : { operationId, bookings }
}

/** Returns the one recipient of a notification as the audience. */
export function recipientAlone(_subject: unknown, _sources: NotificationSources, { recipient }: DomainEvent) {
  const { orgUserId = null, guestId = null } = recipient ?? {}
  return { orgUserIds: orgUserId === null ? [] : [orgUserId], guestIds: guestId === null ? [] : [guestId] }
}

/** Returns the facts of a finished bulk; null when there is none. */
export function finishedBulk(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<BulkSummary | null> {
  return findBulkSummary(database.db, organizationId, subjectId)
}
