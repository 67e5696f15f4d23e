import type { EventKind } from '../../platform/contracts/event-kinds.ts'

/** The channels of a notification: in the app, push, mail. */
export interface Channels {
  inApp: boolean
  push: boolean
  email: boolean
}

const allChannels: Channels = { inApp: true, push: true, email: true }
const withoutMail: Channels = { inApp: true, push: true, email: false }
const withoutPush: Channels = { inApp: true, push: false, email: true }
const inAppOnly: Channels = { inApp: true, push: false, email: false }

/** The rules of a kind of notification. Its recipients and its text are defined elsewhere. */
interface KindRule {
  /** The default channels: mail for notifications that can wait, push for those that need a quick reaction. */
  channels: Channels
  /**
   * The kinds of events that cause the notification. Absent when code calls `notify` itself, as for announcements and
   * for dates that are near.
   */
  events?: readonly EventKind[]
  /**
   * Set for notifications by which staff oversee other people and the fleet. Turning one off is recorded in the audit
   * log.
   */
  oversight?: true
  /** The kind whose preferences apply to this kind; absent when it has its own. */
  preferredAs?: string
  /**
   * `security`: owners and admins oversee each other by it, so daily limits do not apply to its mail. `owed` and
   * `cancelled`: the recipients must get the mail, because it states what they owe, or that they need not come.
   */
  mail?: 'security' | 'owed' | 'cancelled'
}

/** Every kind of notification. */
const kinds = {
  reservation_created: { channels: allChannels, events: ['reservation.created', 'reservation.restored'] },
  reservation_changed: { channels: allChannels, events: ['reservation.changed', 'reservation.seat_freed'] },
  reservation_cancelled: { channels: allChannels, events: ['reservation.cancelled'], mail: 'cancelled' },
  reservations_changed: { channels: allChannels, preferredAs: 'reservation_changed' },
  bulk_done: { channels: withoutPush, oversight: true },
  reservation_upcoming: { channels: allChannels },
  review_needed: {
    channels: withoutMail,
    events: ['reservation.ramped_in', 'reservation.corrected', 'reservation.reopened'],
  },
  confirmed_on_behalf: { channels: withoutPush, events: ['reservation.confirmed'], preferredAs: 'review_needed' },
  flight_corrected: { channels: allChannels, events: ['reservation.corrected'] },
  log_contradicts: { channels: withoutPush },
  solo_beyond: { channels: withoutPush, oversight: true },
  reservation_at_risk: { channels: allChannels },
  below_minimums: { channels: allChannels, oversight: true },
  flight_overdue: { channels: allChannels, oversight: true },
  no_show_near: { channels: allChannels, oversight: true },
  left_grounded: { channels: allChannels, events: ['reservation.ramped_out'], oversight: true },
  booking_request_submitted: { channels: allChannels, events: ['booking_request.submitted'], oversight: true },
  booking_request_approved: { channels: allChannels, events: ['booking_request.approved'] },
  booking_request_declined: {
    channels: allChannels,
    events: ['booking_request.declined', 'booking_request.cancelled'],
  },
  slot_offered: { channels: allChannels, events: ['offer.made'] },
  offer_withdrawn: { channels: allChannels, events: ['offer.withdrawn'] },
  waitlist_booked: { channels: allChannels, events: ['offer.accepted'] },
  waitlist_ended: { channels: allChannels, events: ['waitlist.ended'] },
  recovery_asserted: { channels: withoutPush, events: ['recovery.planned'], oversight: true },
  recovery_large: { channels: withoutPush, oversight: true, mail: 'security' },
  fee_proposed: { channels: allChannels, events: ['fee.proposed'], mail: 'owed' },
  invoice_raised: { channels: allChannels, events: ['invoice.raised'], mail: 'owed' },
  invoice_changed: { channels: allChannels, events: ['invoice.reissued'] },
  invoice_paid: { channels: inAppOnly, events: ['invoice.paid'] },
  invoice_reminder: { channels: allChannels, events: ['invoice.reminded'] },
  invoice_credited: { channels: withoutPush, events: ['invoice.credited', 'invoice.credit_refunded'] },
  paid_from_ledger: { channels: withoutPush, events: ['invoice.payment_recorded'], mail: 'owed' },
  ledger_pays: { channels: withoutPush, events: ['organization.changed'], mail: 'owed' },
  payment_returned: { channels: withoutPush, events: ['invoice.payment_returned'] },
  autopay_declined: { channels: allChannels, events: ['autopay.declined'] },
  autopay_asked: { channels: allChannels, events: ['autopay.payer_asked'] },
  invoice_failed: { channels: withoutPush, events: ['reservation.invoice_failed'], oversight: true },
  invoice_disputed: { channels: allChannels, events: ['invoice.disputed'], oversight: true },
  dispute_lost: { channels: withoutPush, events: ['invoice.disputed'], oversight: true },
  join_request: { channels: withoutPush, events: ['join_request.submitted'], oversight: true },
  member_claimed: { channels: withoutPush, events: ['member.claimed'], oversight: true },
  bill_to_changed: { channels: withoutPush, events: ['member.bill_to_changed'], mail: 'owed' },
  member_merged: { channels: withoutPush, events: ['member.merged'], oversight: true },
  member_recognized: { channels: withoutPush, events: ['member.recognized'], oversight: true },
  record_to_countersign: { channels: withoutMail, events: ['training_record.signed'] },
  endorsement_issued: { channels: allChannels, events: ['endorsement.issued'] },
  endorsement_to_confirm: { channels: allChannels, events: ['endorsement.issued'] },
  endorsement_expiring: { channels: allChannels },
  knowledge_test_expiring: { channels: allChannels },
  test_not_ready: { channels: allChannels },
  students_stalled: { channels: allChannels },
  currency_expiring: { channels: allChannels },
  document_expiring: { channels: allChannels, oversight: true },
  currency_self_recorded: { channels: withoutPush, oversight: true },
  currency_ended: { channels: allChannels, events: ['currency.ended', 'currency.resumed'], oversight: true },
  rule_lowered: { channels: withoutPush, oversight: true, mail: 'security' },
  rules_overridden: { channels: withoutPush, oversight: true, mail: 'security' },
  squawk_opened: { channels: allChannels, events: ['squawk.opened'], oversight: true },
  resource_grounded: { channels: allChannels, events: ['resource.grounded'], oversight: true },
  resource_returned: { channels: withoutMail, events: ['resource.returned'] },
  endorsed_as_changed: { channels: withoutPush, events: ['resource.endorsed_as_changed'], oversight: true },
  maintenance_due: { channels: withoutPush, oversight: true },
  deferral_ended: { channels: allChannels, oversight: true },
  mail_given_up: { channels: withoutPush, oversight: true, mail: 'security' },
  announcement: { channels: allChannels },
} as const satisfies Record<string, KindRule>

export type NotificationKind = keyof typeof kinds

export const notificationKinds = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]]

/** Returns the rules of a kind. */
export function ruleOf(kind: NotificationKind): KindRule & { preferredAs?: NotificationKind } {
  return kinds[kind]
}
