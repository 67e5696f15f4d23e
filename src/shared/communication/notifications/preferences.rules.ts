import { type NotificationKind, notificationKinds } from './kinds.ts'

/** The channels of a notification: in the app, push, mail. */
export interface Ways {
  inApp: boolean
  push: boolean
  email: boolean
}

export interface Preference extends Ways {
  kind: NotificationKind
}

const everyWay: Ways = { inApp: true, push: true, email: true }
const withoutMail: Ways = { inApp: true, push: true, email: false }
const withoutPush: Ways = { inApp: true, push: false, email: true }
const inAppOnly: Ways = { inApp: true, push: false, email: false }

/** The default channels: mail for what can wait, push for what needs a quick reaction. */
export const defaultWays: Readonly<Record<NotificationKind, Ways>> = {
  reservation_created: everyWay,
  reservation_changed: everyWay,
  reservation_cancelled: everyWay,
  reservation_upcoming: everyWay,
  review_needed: withoutMail,
  booking_request_submitted: everyWay,
  booking_request_approved: everyWay,
  booking_request_declined: everyWay,
  invoice_raised: everyWay,
  invoice_paid: inAppOnly,
  invoice_reminder: everyWay,
  join_request: withoutPush,
  record_to_countersign: withoutMail,
  endorsement_issued: everyWay,
  endorsement_expiring: everyWay,
  currency_expiring: everyWay,
  document_expiring: everyWay,
  squawk_opened: everyWay,
  resource_grounded: everyWay,
  resource_returned: withoutMail,
  maintenance_due: withoutPush,
  announcement: everyWay,
}

/** Returns one preference per kind: the stored one, or the default. */
export function preferencesOf(said: readonly Preference[]): Preference[] {
  const byKind = new Map(said.map((row) => [row.kind, row]))
  return notificationKinds.map((kind) => byKind.get(kind) ?? { kind, ...defaultWays[kind] })
}
