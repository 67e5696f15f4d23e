/** What members are told about. */
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

/**
 * Kinds whose records the service does not keep: nothing raises them. Members can set their preferences for them all
 * the same. One that leaves this list does not compile until it has its audience and its wording.
 */
export const notYetRaised = ['document_expiring', 'announcement'] as const satisfies NotificationKind[]

export type RaisedKind = Exclude<NotificationKind, (typeof notYetRaised)[number]>

const unraised: readonly NotificationKind[] = notYetRaised

/** The kinds that something raises. */
export const raisedKinds = notificationKinds.filter((kind): kind is RaisedKind => !unraised.includes(kind))
