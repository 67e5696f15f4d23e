/** The kinds of notifications. */
export const notificationKinds = [
  'reservation_created',
  'reservation_changed',
  'reservation_cancelled',
  'reservation_upcoming',
  'review_needed',
  'booking_request_submitted',
  'booking_request_approved',
  'booking_request_declined',
  'invoice_raised',
  'invoice_paid',
  'invoice_reminder',
  'join_request',
  'record_to_countersign',
  'endorsement_issued',
  'endorsement_expiring',
  'currency_expiring',
  'document_expiring',
  'squawk_opened',
  'resource_grounded',
  'resource_returned',
  'maintenance_due',
  'announcement',
] as const

export type NotificationKind = (typeof notificationKinds)[number]
