import type { EventKind } from '../../platform/contracts/event-kinds.ts'
import { type NotificationKind, notificationKinds, ruleOf } from './notification-kinds.rules.ts'

/** The notifications that each kind of event causes. */
const notified = new Map<EventKind, NotificationKind[]>()
for (const kind of notificationKinds) {
  for (const event of ruleOf(kind).events ?? []) notified.set(event, [...(notified.get(event) ?? []), kind])
}

/**
 * The kinds of notifications for a change of the people on a booking: people who stay, join or leave get different
 * ones.
 */
const reseated = ['reservation_changed', 'reservation_created', 'reservation_cancelled'] as const

/**
 * The notification of a dispute, by its new status. A dispute with another status, such as one that is won, has none.
 */
const disputed: Readonly<Record<string, readonly NotificationKind[]>> = {
  open: ['invoice_disputed'],
  lost: ['dispute_lost'],
}

/** The kinds of events that cause notifications. */
export const notifiedKinds: readonly EventKind[] = [...notified.keys()]

interface Happened {
  kind: EventKind
  after: Readonly<Record<string, unknown>> | null
}

/**
 * Returns the kinds of notifications that an event causes; none for:
 * - the bookings of a series, except the first one, whose notification covers all that were created or cancelled
 *   together;
 * - an invoice that is paid when it is raised: its payment causes one;
 * - a credit note after which the payer is asked for another amount: that request mentions it;
 * - changes that desk staff make without notifying, and the single bookings of a bulk operation.
 * Whether a notification applies to the record is decided later, by its definition.
 * Implements interface §Notifications and docs/decisions/0022.
 */
export function notificationsOf({ kind, after }: Happened): readonly NotificationKind[] {
  if (after?.partOf !== undefined || after?.raisedPaid || after?.notify === false || after?.operationId) return []
  if (kind === 'reservation.changed' && after?.personnel) return reseated
  if (kind === 'reservation.ramped_out' && !after?.grounded) return []
  if (kind === 'reservation.confirmed' && !after?.onBehalfOf) return []
  if (kind === 'invoice.credited' && after?.reissued) return []
  if (kind === 'reservation.corrected') return after?.kept ? ['flight_corrected'] : ['review_needed']
  if (kind === 'invoice.disputed') return disputed[String(after?.status)] ?? []
  return notified.get(kind) ?? []
}
