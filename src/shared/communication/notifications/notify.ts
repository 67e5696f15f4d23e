import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import type { ClaimedRow } from '../../platform/jobs/claim-batch.ts'
import { fanOutNotification } from '../communication.jobs.ts'
import { NOTICE_DAYS } from './expiry-notices.rules.ts'
import type { NotificationKind } from './notification-kinds.rules.ts'
import { notificationsOf, notifiedKinds } from './notified-events.rules.ts'

/** The subject of a notification, and its cause. The member who caused the notification does not get it. */
export interface DomainEventInput {
  organizationId: number
  kind: NotificationKind
  /** The id of the subject: a booking, an invoice, an announcement. */
  subjectId: number
  /** The orgUserId of the member who caused the notification; null when no member did. */
  causedBy: number | null
  /** The instant of the event; now by default. */
  at?: Date
  eventId?: string
  /** The only person to notify. When absent, everyone whom the notification concerns is notified. */
  recipient?: { orgUserId: number | null; guestId: number | null }
  /** Set when a daily limit leaves out further notifications of this kind. */
  isLast?: true
}

/**
 * Enqueues a notification. Its audience and channels are determined when the job runs. Called by
 * `notificationSubscription`, and for notifications that no event causes, such as those of dates that are near.
 * Implements docs/decisions/0022.
 */
export function notify(tx: Tx, { at = tx.now, ...notified }: DomainEventInput): void {
  tx.enqueue(fanOutNotification, { ...notified, happenedAt: at.toISOString() })
}

/**
 * Enqueues the notifications that events cause. The events of one subject are processed in the order in which they
 * happened.
 */
export const notificationSubscription: Subscription = {
  kinds: notifiedKinds,
  handle: async (tx, events) => {
    for (const event of events) {
      const { organizationId, subjectId, membershipId: causedBy, at, id: eventId } = event
      for (const kind of notificationsOf(event)) notify(tx, { organizationId, kind, subjectId, causedBy, at, eventId })
    }
  },
}

/** Returns a function for claims of due records: it enqueues a notification about the claimed record. */
export function notifyAbout(tx: Tx, kind: NotificationKind): (row: ClaimedRow) => void {
  return ({ id, organizationId }) => notify(tx, { organizationId, kind, subjectId: id, causedBy: null })
}

/**
 * Returns `noticeDue` as an SQL expression: the notice of the end `endsAt` that is due at `now`; null when none is due.
 */
export function noticeDueOf(
  endsAt: RawBuilder<unknown>,
  now: Date,
  stages: readonly number[] = NOTICE_DAYS,
): RawBuilder<number | null> {
  const begun = stages
    .toReversed()
    .map(
      (days) =>
        sql`when ${endsAt} <= ${now}::timestamptz + make_interval(hours => ${sql.lit(24 * days)}) then ${sql.lit(days)}`,
    )
  return sql`case when ${endsAt} <= ${now}::timestamptz then null ${sql.join(begun, sql` `)} end`
}

/**
 * Returns the SQL condition that a notice of the end of row `r` (`expires_at`) must be sent: one is due, and the last
 * one that was sent (`expiry_notified_days`) is an earlier one or does not exist.
 */
export function needsNotice(now: Date): RawBuilder<boolean> {
  return sql`r.expires_at > ${now} and coalesce(r.expiry_notified_days, 32767) > ${noticeDueOf(sql`r.expires_at`, now)}`
}
