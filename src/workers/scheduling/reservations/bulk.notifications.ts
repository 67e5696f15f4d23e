import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { ChangedBooking } from '../../../shared/communication/notifications/templates/bulk.rules.ts'
import { type BulkSummary, findBulkSummary, findDigest } from '../../../shared/workflows/bulk-digest.queries.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** Loads the bookings of the receiver that a bulk changed; null when there are none. */
export async function changedBookings(
  { database }: NotificationSources,
  { organizationId, subjectId: operationId, recipient }: DomainEvent,
): Promise<{ operationId: number; bookings: ChangedBooking[] } | null> {
  if (!recipient) return null
  const bookings = await findDigest(database.db, { organizationId, operationId }, recipient)
  return bookings.length === 0 ? null : { operationId, bookings }
}

/** The one person whom a notification is for. */
export function recipientAlone(_subject: unknown, _sources: NotificationSources, { recipient }: DomainEvent) {
  const { orgUserId = null, guestId = null } = recipient ?? {}
  return { orgUserIds: orgUserId === null ? [] : [orgUserId], guestIds: guestId === null ? [] : [guestId] }
}

/** Loads what a bulk did to how many bookings. */
export function finishedBulk(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<BulkSummary | null> {
  return findBulkSummary(database.db, organizationId, subjectId)
}
