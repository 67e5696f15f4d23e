import type { EventKind } from '../../platform/contracts/event-kinds.ts'
import type { NotificationKind } from './notification-kinds.types.ts'

/** The notifications that each kind of event causes. Notifications of a date that is near have no event. */
const notified: Readonly<Partial<Record<EventKind, NotificationKind | readonly NotificationKind[]>>> = {
  'reservation.created': 'reservation_created',
  'reservation.changed': 'reservation_changed',
  'reservation.cancelled': 'reservation_cancelled',
  'reservation.ramped_out': 'left_grounded',
  'reservation.ramped_in': 'review_needed',
  'reservation.confirmed': 'confirmed_on_behalf',
  'reservation.corrected': 'review_needed',
  'reservation.reopened': 'review_needed',
  'booking_request.submitted': 'booking_request_submitted',
  'booking_request.approved': 'booking_request_approved',
  'booking_request.declined': 'booking_request_declined',
  'booking_request.cancelled': 'booking_request_declined',
  'invoice.raised': 'invoice_raised',
  'invoice.reissued': 'invoice_changed',
  'invoice.paid': 'invoice_paid',
  'invoice.reminded': 'invoice_reminder',
  'invoice.credited': 'invoice_credited',
  'invoice.credit_refunded': 'invoice_credited',
  'invoice.payment_returned': 'payment_returned',
  'autopay.declined': 'autopay_declined',
  'autopay.payer_asked': 'autopay_asked',
  'invoice.disputed': ['invoice_disputed', 'dispute_lost'],
  'reservation.invoice_failed': 'invoice_failed',
  'join_request.submitted': 'join_request',
  'member.merged': 'member_merged',
  'member.claimed': 'member_claimed',
  'member.recognized': 'member_recognized',
  'training_record.signed': 'record_to_countersign',
  'endorsement.issued': ['endorsement_issued', 'endorsement_to_confirm'],
  'squawk.opened': 'squawk_opened',
  'resource.grounded': 'resource_grounded',
  'resource.returned': 'resource_returned',
}

/** The people who stay on a booking, join it and leave it get different notifications. */
const reseated = ['reservation_changed', 'reservation_created', 'reservation_cancelled'] as const

/** Who is told of a dispute that opens or is lost; nobody of one that is won. */
const disputed: Readonly<Record<string, readonly NotificationKind[]>> = {
  open: ['invoice_disputed'],
  lost: ['dispute_lost'],
}

/** The kinds of events of which members are notified. */
export const notifiedKinds = Object.keys(notified) as EventKind[]

interface Happened {
  kind: EventKind
  after: Readonly<Record<string, unknown>> | null
}

/**
 * Returns the kinds of notifications of an event. Bookings created or cancelled together have one notification, of the
 * first of them. An invoice that is paid when it is raised has only the one of its payment. A credit note after which the rest
 * is asked for anew is told with that. Changes that the desk makes
 * without notifying, and the single bookings of a bulk operation, have none. The definition of each notification
 * decides whether it applies to the record.
 * Implements interface §Notifications and docs/decisions/0022.
 */
export function notificationsOf({ kind, after }: Happened): readonly NotificationKind[] {
  if (after?.partOf !== undefined || after?.raisedPaid || after?.notify === false || after?.operationId) return []
  if (kind === 'reservation.changed' && after?.personnel) return reseated
  if (kind === 'reservation.ramped_out' && !after?.grounded) return []
  if (kind === 'reservation.confirmed' && !after?.onBehalfOf) return []
  if (kind === 'invoice.credited' && after?.reissued) return []
  if (kind === 'invoice.disputed') return disputed[String(after?.status)] ?? []
  return [notified[kind] ?? []].flat()
}
