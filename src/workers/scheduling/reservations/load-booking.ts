import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { BookingTemplateData } from '../../../shared/communication/notifications/templates/booking.rules.ts'
import { findCauseOfMove } from '../../../shared/scheduling/recoveries/recovery-cause.queries.ts'
import { findReservation } from '../../../shared/scheduling/reservations/one-reservation.queries.ts'
import { findReassignment, type Reassignment } from '../../../shared/scheduling/reservations/reassignment.queries.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { countCancelledTogether } from '../../../shared/scheduling/reservations/series.queries.ts'
import { routeInWords } from '../../../shared/scheduling/rules/solo-flight.rules.ts'
import type { NotificationSources } from '../../communication/notifications/define-notification.ts'

/** A booking as the notifications about it say it, with what the event changed. */
export type NotifiedBooking = BookingTemplateData & Reassignment & { organizationId: number; row: ReservationRow }

/** Returns the booking of an event; null when it is gone, or no longer as the notification needs it (`isCurrent`). */
export async function loadBooking(
  { database }: NotificationSources,
  { organizationId, subjectId, eventId }: DomainEvent,
  isCurrent: (row: ReservationRow, reassignment: Reassignment) => boolean,
): Promise<NotifiedBooking | null> {
  const row = await findReservation(database, organizationId, subjectId)
  const reassignment = await findReassignment(database.db, organizationId, eventId)
  if (!row || !isCurrent(row, reassignment)) return null
  const why = reassignment.changes.length > 0 ? await findCauseOfMove(database.db, organizationId, eventId!) : null
  return {
    organizationId,
    ...reassignment,
    why,
    row,
    id: row.id,
    title: row.title,
    start: row.starts_at,
    end: row.ends_at,
    zone: row.time_zone_name,
    resource: row.resource?.name ?? null,
    location: row.location?.name ?? null,
    people: row.seats.map(({ name, side }) => `${name} (${side.slice(0, -1)})`),
    seriesCount: row.series_count,
    soloRoute: row.type === 'solo' ? routeInWords(row.solo) : null,
    cancellation: {
      reason: row.cancellation_reason,
      category: row.cancellation_category,
      together: await countCancelledTogether(database.db, organizationId, row),
    },
  }
}
