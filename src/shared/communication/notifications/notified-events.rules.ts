import type { EventKind } from '../../platform/contracts/event-kinds.ts'
import { type NotificationKind, notificationKinds, ruleOf } from './notification-kinds.rules.ts'

/** The notifications that each kind of event causes. */
const notified = new Map<EventKind, NotificationKind[]>()
for (const kind of notificationKinds) {
  for (const event of ruleOf(kind).events ?? []) notified.set(event, [...(notified.get(event) ?? []), kind])
}

/** The people who stay on a booking, join it and leave it get different notifications. */
const reseated = ['reservation_changed', 'reservation_created', 'reservation_cancelled'] as const

/** Who is told of a dispute that opens or is lost; nobody of one that is won. */
const disputed: Readonly<Record<string, readonly NotificationKind[]>> = {
  open: ['invoice_disputed'],
  lost: ['dispute_lost'],
}

/** The kinds of events of which members are notified. */
export const notifiedKinds: readonly EventKind[] = [...notified.keys()]

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
  return notified.get(kind) ?? []
}
