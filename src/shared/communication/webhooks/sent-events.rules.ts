import type { StoredEvent } from '../../platform/contracts/event.types.ts'
import {
  type EventKind,
  isPublic,
  type PublicEventKind,
  publicEventKinds,
} from '../../platform/contracts/event-kinds.ts'

/** An event as webhooks send it. */
export interface SentEvent {
  organizationId: number
  /** The value of the header `webhook-id`. */
  id: string
  type: PublicEventKind
  /** `<kind>:<id>`. */
  subject: string
  at: Date
}

/** The kinds that change a booking as `GET` returns it, and have no public type. */
const changesOfBookings: readonly EventKind[] = [
  'reservation.confirmed',
  'reservation.corrected',
  'reservation.reopened',
  'reservation.payers_changed',
  'reservation.lessons_planned',
  'reservation.seat_freed',
  'reservation.rule_overridden',
  'reservation.invoice_failed',
]

/** The kinds that change the status `invoiced` of the booking that is billed, its `invoices` or `owedBackCents`. */
const changesOfBilling: readonly EventKind[] = [
  'invoice.raised',
  'invoice.reissued',
  'invoice.paid',
  'invoice.voided',
  'invoice.changed',
  'invoice.credited',
  'invoice.credit_refunded',
  'invoice.payment_recorded',
  'invoice.payment_returned',
  'invoice.payment_reversed',
  'invoice.refund_decided',
  'ledger.posted',
  'ledger.reversed',
]

/** The kinds of events that webhooks send, under their own type or as `reservation.changed`. */
export const sentKinds: readonly EventKind[] = [
  ...new Set<EventKind>([...publicEventKinds, ...changesOfBookings, ...changesOfBilling]),
]

/** Returns whether events of this kind change the booking that an invoice or a ledger entry bills. */
export function changesBilling(kind: EventKind): boolean {
  return changesOfBilling.includes(kind)
}

/**
 * Returns what webhooks send of these events of one organization. An event of a public kind is sent as it is. Events
 * that change a booking otherwise are sent as one `reservation.changed` per booking, unless another event of this booking
 * is sent: the payloads are made later, so each shows the booking after all events. `billedOf` returns the booking that
 * an event of `changesBilling` is about, and `idOfChange` the id of the `reservation.changed` that follows from it.
 */
export function sentEvents(
  events: readonly StoredEvent[],
  billedOf: (event: StoredEvent) => number | null | undefined,
  idOfChange: (id: string) => string,
): SentEvent[] {
  const sent: SentEvent[] = []
  const changed = new Map<string, SentEvent>()
  for (const event of events) {
    const { organizationId, id, kind, subjectKind, subjectId, at } = event
    if (isPublic(kind)) sent.push({ organizationId, id, type: kind, subject: `${subjectKind}:${subjectId}`, at })
    const billed = changesBilling(kind)
    const booking = billed ? billedOf(event) : changesOfBookings.includes(kind) ? subjectId : null
    if (!booking) continue
    const subject = `reservation:${booking}`
    changed.set(subject, { organizationId, id: billed ? idOfChange(id) : id, type: 'reservation.changed', subject, at })
  }
  for (const { subject } of sent) changed.delete(subject)
  return [...sent, ...changed.values()]
}
