import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import {
  bookingsAtRisk,
  bookingsChanged,
  bulkDone,
  type ChangedBooking,
  type RiskyBooking,
} from '../../../shared/communication/notifications/templates/bulk.rules.ts'
import { findActor } from '../../../shared/platform/authz/actor.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findAtRiskAmong, findNoticed } from '../../../shared/scheduling/at-risk/at-risk.queries.ts'
import { notifiedOf } from '../../../shared/scheduling/at-risk/at-risk.rules.ts'
import {
  type BulkSummary,
  findBasis,
  findBulkSummary,
  findDigest,
} from '../../../shared/workflows/bulk-digest.queries.ts'
import {
  defineNotification,
  everyone,
  type NotificationDefinitions,
  type NotificationSources,
} from '../../communication/notifications/define-notification.ts'

/** Returns the recipient's bookings that a bulk operation changed, by whom and why; null when there are none. */
async function changedBookings(
  { database }: NotificationSources,
  { organizationId, subjectId: operationId, recipient }: DomainEvent,
): Promise<{ operationId: number; bookings: ChangedBooking[]; by: string; why: string[] } | null> {
  if (!recipient) return null
  const bookings = await findDigest(database.db, { organizationId, operationId }, recipient)
  const basis = bookings.length === 0 ? null : await findBasis(database.db, organizationId, operationId)
  return basis && { operationId, bookings, ...basis }
}

/** Returns the one recipient of a notification as the audience. */
function recipientAlone(_subject: unknown, _sources: NotificationSources, { recipient }: DomainEvent) {
  const { orgUserId = null, guestId = null } = recipient ?? {}
  return { orgUserIds: orgUserId === null ? [] : [orgUserId], guestIds: guestId === null ? [] : [guestId] }
}

/** Returns the summary of a bulk operation; null when there is no such operation. */
function finishedBulk(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<BulkSummary | null> {
  return findBulkSummary(database.db, organizationId, subjectId)
}

/**
 * Returns the bookings of a notice that are still at risk, with the problems that the recipient may see; null when none
 * is at risk any more, or the recipient is no longer a member.
 */
async function noticedBookings(
  { database: { db }, clock }: NotificationSources,
  { organizationId, subjectId, recipient }: DomainEvent,
): Promise<{ bookings: RiskyBooking[] } | null> {
  const reader = recipient?.orgUserId ? await findActor(db, organizationId, recipient.orgUserId) : null
  if (!reader) return null
  const ids = await findNoticed(db, organizationId, subjectId)
  const found = await findAtRiskAmong(db, organizationId, clock(), ids)
  const bookings = found.map(({ row, ...flag }) => ({
    id: row.id,
    title: row.title,
    zone: row.time_zone_name,
    start: row.starts_at,
    end: row.ends_at,
    problems: notifiedOf(reader, row.seats, flag).problems.map(({ message }) => message),
  }))
  return bookings.length === 0 ? null : { bookings }
}

/** The notifications of many bookings at once, by their kind. */
export const bulkNotifications = {
  reservations_changed: defineNotification(changedBookings, recipientAlone, bookingsChanged),
  bulk_done: defineNotification(finishedBulk, everyone(admins), bulkDone),
  reservation_at_risk: defineNotification(noticedBookings, recipientAlone, bookingsAtRisk),
} satisfies Partial<NotificationDefinitions>
