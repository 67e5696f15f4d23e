import type { EventKind } from '../../platform/events/event-kinds.ts'
import type { NotificationKind } from './notification-kinds.types.ts'

/** The notifications that an event causes. A date that comes near is not an event. */
const notified: Readonly<Partial<Record<EventKind, NotificationKind | readonly NotificationKind[]>>> = {
  'reservation.created': 'reservation_created',
  'reservation.changed': 'reservation_changed',
  'reservation.cancelled': 'reservation_cancelled',
  'reservation.ramped_out': 'left_grounded',
  'reservation.ramped_in': 'review_needed',
  'reservation.corrected': 'review_needed',
  'reservation.reopened': 'review_needed',
  'booking_request.submitted': 'booking_request_submitted',
  'booking_request.approved': 'booking_request_approved',
  'booking_request.declined': 'booking_request_declined',
  'booking_request.cancelled': 'booking_request_declined',
  'invoice.raised': 'invoice_raised',
  'invoice.paid': 'invoice_paid',
  'invoice.reminded': 'invoice_reminder',
  'join_request.submitted': 'join_request',
  'training_record.signed': 'record_to_countersign',
  'endorsement.issued': ['endorsement_issued', 'endorsement_to_confirm'],
  'squawk.opened': 'squawk_opened',
  'resource.grounded': 'resource_grounded',
  'resource.returned': 'resource_returned',
}

/** Who stays on a booking, who comes and who goes is each told in the words of their case. */
const reseated = ['reservation_changed', 'reservation_created', 'reservation_cancelled'] as const

/** The kinds of events of which members are notified. */
export const notifiedKinds = Object.keys(notified) as EventKind[]

interface Happened {
  kind: EventKind
  after: Readonly<Record<string, unknown>> | null
}

/**
 * Returns the notifications of an event: bookings that are made or cancelled together are told of by the first of them,
 * and an invoice that is paid as it is raised by its raising; of what the desk did in silence nobody is
 * told, and of a bulk at its end. Whether one applies to the record, its definition decides.
 * Implements interface §Notifications.
 */
export function notificationsOf({ kind, after }: Happened): readonly NotificationKind[] {
  if (after?.partOf !== undefined || after?.raisedPaid || after?.notify === false || after?.operationId) return []
  if (kind === 'reservation.changed' && after?.personnel) return reseated
  if (kind === 'reservation.ramped_out' && !after?.grounded) return []
  return [notified[kind] ?? []].flat()
}
