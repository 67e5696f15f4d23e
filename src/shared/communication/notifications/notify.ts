import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import type { ClaimedRow } from '../../platform/jobs/claim-batch.ts'
import { fanOutNotification } from '../communication.jobs.ts'
import { NOTICE_DAYS } from './expiry-notices.rules.ts'
import type { NotificationKind } from './notification-kinds.rules.ts'
import { notificationsOf, notifiedKinds } from './notified-events.rules.ts'

/** The subject of a notification, and its cause. The member who caused it is not notified. */
export interface DomainEventInput {
  organizationId: number
  kind: NotificationKind
  /** The id of the subject: a booking, an invoice, an announcement. */
  subjectId: number
  /** The orgUserId of the member who caused it; null for anyone else. */
  causedBy: number | null
  /** The instant of the event; now by default. */
  at?: Date
  eventId?: string
  /** The one person to notify. When absent, everyone whom the notification concerns. */
  recipient?: { orgUserId: number | null; guestId: number | null }
}

/**
 * Enqueues a notification that no event causes: of a date that is near, or of an announcement. Its audience and
 * channels are determined when the job runs.
 * Implements docs/decisions/0022.
 */
export function notify(tx: Tx, { at = tx.now, ...notified }: DomainEventInput): void {
  tx.enqueue(fanOutNotification, { ...notified, happenedAt: at.toISOString() })
}

/** Notifies members of events. The events of one subject are processed in their order. */
export const notificationSubscription: Subscription = {
  kinds: notifiedKinds,
  handle: async (tx, events) => {
    for (const event of events) {
      const { organizationId, subjectId, membershipId: causedBy, at, id: eventId } = event
      for (const kind of notificationsOf(event)) notify(tx, { organizationId, kind, subjectId, causedBy, at, eventId })
    }
  },
}

/** Returns the function that a claim of due records calls with each row: it enqueues the notification of the record. */
export function notifyAbout(tx: Tx, kind: NotificationKind): (row: ClaimedRow) => void {
  return ({ id, organizationId }) => notify(tx, { organizationId, kind, subjectId: id, causedBy: null })
}

/** Returns `noticeDue` as an expression of an instant in a query; null when none is due. */
export function noticeDueOf(endsAt: RawBuilder<unknown>, now: Date): RawBuilder<number | null> {
  const begun = NOTICE_DAYS.toReversed().map(
    (days) =>
      sql`when ${endsAt} <= ${now}::timestamptz + make_interval(hours => ${sql.lit(24 * days)}) then ${sql.lit(days)}`,
  )
  return sql`case when ${endsAt} <= ${now}::timestamptz then null ${sql.join(begun, sql` `)} end`
}

/**
 * Returns whether a row `r` with `expires_at` needs a notice of its end: one is due and `expiry_notified_days`, the last
 * one sent, is an earlier one.
 */
export function needsNotice(now: Date): RawBuilder<boolean> {
  return sql`r.expires_at > ${now} and coalesce(r.expiry_notified_days, 32767) > ${noticeDueOf(sql`r.expires_at`, now)}`
}
