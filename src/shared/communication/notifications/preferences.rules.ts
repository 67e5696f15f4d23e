import { type NotificationKind, notificationKinds } from './kinds.ts'

/** How somebody is told: in the app, on their devices, by mail. */
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

/** How members are told who have not said otherwise: by mail what they act on later, by push what they act on now. */
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

/** A member's preferences, one row for every kind: what they said, and the default where they said nothing. */
export function preferencesOf(said: readonly Preference[]): Preference[] {
  const byKind = new Map(said.map((row) => [row.kind, row]))
  return notificationKinds.map((kind) => byKind.get(kind) ?? { kind, ...defaultWays[kind] })
}
