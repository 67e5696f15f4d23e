import { type NotificationKind, notificationKinds } from './notification-kinds.types.ts'

/** The channels of a notification: in the app, push, mail. */
export interface Channels {
  inApp: boolean
  push: boolean
  email: boolean
}

export interface Preference extends Channels {
  kind: NotificationKind
}

const allChannels: Channels = { inApp: true, push: true, email: true }
const withoutMail: Channels = { inApp: true, push: true, email: false }
const withoutPush: Channels = { inApp: true, push: false, email: true }
const inAppOnly: Channels = { inApp: true, push: false, email: false }

/** The default channels: mail for notifications that can wait, push for those that need a quick reaction. */
export const defaultChannels: Readonly<Record<NotificationKind, Channels>> = {
  reservation_created: allChannels,
  reservation_changed: allChannels,
  reservation_cancelled: allChannels,
  reservations_changed: allChannels,
  bulk_done: withoutPush,
  reservation_upcoming: allChannels,
  review_needed: withoutMail,
  confirmed_on_behalf: withoutPush,
  log_contradicts: withoutPush,
  reservation_at_risk: allChannels,
  below_minimums: allChannels,
  flight_overdue: allChannels,
  left_grounded: allChannels,
  booking_request_submitted: allChannels,
  booking_request_approved: allChannels,
  booking_request_declined: allChannels,
  invoice_raised: allChannels,
  invoice_changed: allChannels,
  invoice_paid: inAppOnly,
  invoice_reminder: allChannels,
  invoice_credited: withoutPush,
  payment_returned: withoutPush,
  autopay_declined: allChannels,
  autopay_asked: allChannels,
  invoice_failed: withoutPush,
  invoice_disputed: allChannels,
  dispute_lost: withoutPush,
  join_request: withoutPush,
  member_claimed: withoutPush,
  member_merged: withoutPush,
  member_recognized: withoutPush,
  record_to_countersign: withoutMail,
  endorsement_issued: allChannels,
  endorsement_to_confirm: allChannels,
  endorsement_expiring: allChannels,
  knowledge_test_expiring: allChannels,
  currency_expiring: allChannels,
  document_expiring: allChannels,
  currency_self_recorded: withoutPush,
  rule_lowered: withoutPush,
  rules_overridden: withoutPush,
  squawk_opened: allChannels,
  resource_grounded: allChannels,
  resource_returned: withoutMail,
  maintenance_due: withoutPush,
  deferral_ended: allChannels,
  mail_given_up: withoutPush,
  announcement: allChannels,
}

/** The kinds by which staff oversee others and the fleet: turning one off is audited. */
const overseeing: ReadonlySet<NotificationKind> = new Set([
  'booking_request_submitted',
  'join_request',
  'member_claimed',
  'member_merged',
  'member_recognized',
  'squawk_opened',
  'resource_grounded',
  'maintenance_due',
  'deferral_ended',
  'document_expiring',
  'currency_self_recorded',
  'rule_lowered',
  'rules_overridden',
  'below_minimums',
  'flight_overdue',
  'left_grounded',
  'bulk_done',
  'invoice_failed',
  'invoice_disputed',
  'dispute_lost',
  'mail_given_up',
])

/** Returns the channels that a change turns off when staff oversee others by this kind; otherwise an empty list. */
export function oversightTurnedOff({ kind, ...before }: Preference, change: Partial<Channels>): (keyof Channels)[] {
  if (!overseeing.has(kind)) return []
  return (['inApp', 'push', 'email'] as const).filter((way) => before[way] && change[way] === false)
}

/**
 * The kinds with the preferences of another: the digest of changes, and what was confirmed for a member who could not
 * confirm.
 */
const preferredLike: Readonly<Partial<Record<NotificationKind, NotificationKind>>> = {
  reservations_changed: 'reservation_changed',
  confirmed_on_behalf: 'review_needed',
}

/** Returns the kind whose preferences apply to a kind. */
export function preferredAs(kind: NotificationKind): NotificationKind {
  return preferredLike[kind] ?? kind
}

/** The kinds that have preferences of their own. */
export const preferredKinds = notificationKinds.filter((kind) => preferredAs(kind) === kind)

/**
 * Returns one preference per kind that has its own: the stored one, or the default.
 * Implements interface §Notifications (preferences).
 */
export function preferencesOf(stored: readonly Preference[]): Preference[] {
  const byKind = new Map(stored.map((row) => [row.kind, row]))
  return preferredKinds.map((kind) => byKind.get(kind) ?? { kind, ...defaultChannels[kind] })
}
