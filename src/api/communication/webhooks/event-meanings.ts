import type { PublicEventKind } from '../../../shared/platform/contracts/event-kinds.ts'

interface Meaning {
  /** When the event is sent. */
  sent: string
  /** Fields that tell a typical record of such an event from others, for its example. */
  like?: Record<string, unknown>
}

/** What each type of webhook event means. */
export const eventMeanings: Record<PublicEventKind, Meaning> = {
  'reservation.created': {
    sent: 'A booking is created. A series sends one event per booking',
    like: { status: 'booked' },
  },
  'reservation.changed': {
    sent:
      'A booking changes in a way that has no type of its own: it is moved or edited, signed by one side, corrected, ' +
      'reopened, its payers change, or what is billed for it changes (`status` `invoiced`, `invoices`, `owedBackCents`)',
    like: { status: 'invoiced' },
  },
  'reservation.cancelled': { sent: 'A booking is cancelled', like: { status: 'cancelled' } },
  'reservation.restored': { sent: 'A cancelled booking is restored', like: { status: 'booked' } },
  'reservation.ramped_out': { sent: 'The aircraft or simulator leaves', like: { status: 'ramped_out' } },
  'reservation.ramped_in': { sent: 'The aircraft or simulator is back', like: { status: 'ramped_in' } },
  'reservation.signed_off': { sent: 'The last required signature signs a flight off', like: { status: 'signed_off' } },
  'invoice.raised': {
    sent: 'An invoice is issued. It is sent once per invoice, when the payment processor has accepted it',
    like: { status: 'open' },
  },
  'invoice.reissued': {
    sent: 'The amount to pay of an issued invoice changes, for example after a part of it is paid',
    like: { status: 'open' },
  },
  'invoice.paid': { sent: 'An invoice is paid in full', like: { status: 'paid' } },
  'invoice.voided': { sent: 'An invoice is voided', like: { status: 'void' } },
  'invoice.credited': { sent: 'A credit note for an invoice is written' },
  'invoice.credit_refunded': { sent: 'A credit note is refunded later than it was written' },
  'booking_request.submitted': { sent: 'A booking is requested', like: { status: 'pending' } },
  'booking_request.approved': {
    sent: 'A booking request is approved. Its booking sends `reservation.created`',
    like: { status: 'approved' },
  },
  'booking_request.declined': { sent: 'A booking request is declined', like: { status: 'declined' } },
  'offer.made': { sent: 'A place that became free is offered to a member', like: { status: 'open' } },
  'offer.accepted': { sent: 'An offer is accepted', like: { status: 'accepted' } },
  'offer.declined': { sent: 'An offer is declined', like: { status: 'declined' } },
  'offer.expired': { sent: 'An offer expires without an answer', like: { status: 'expired' } },
  'offer.withdrawn': { sent: 'An offer is withdrawn; `cause` says why', like: { status: 'withdrawn' } },
  'training_record.signed': { sent: 'A graded training record is signed', like: { status: 'signed' } },
  'enrollment.graduated': { sent: 'A student graduates from a course', like: { status: 'graduated' } },
  'resource.grounded': {
    sent: 'A resource is grounded, by a person, a squawk or overdue maintenance',
    like: { grounded: true },
  },
  'resource.returned': { sent: 'A grounded resource is returned to service', like: { grounded: false } },
  'squawk.opened': { sent: 'A squawk is reported', like: { status: 'open' } },
  'squawk.resolved': { sent: 'A squawk is resolved', like: { status: 'resolved' } },
}
