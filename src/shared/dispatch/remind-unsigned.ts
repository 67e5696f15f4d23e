import { sql } from 'kysely'
import { notifyAbout } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { claimBatch } from '../platform/jobs/claim-batch.ts'
import { closedOutSince, withoutMeters } from './close-out.queries.ts'

/** The signers are reminded when a signature has been missing for these numbers of days. */
const STAGES = [1, 3, 7] as const
/** After this many days without the last signature, a close-out counts as abandoned and nobody is reminded. */
const LEFT_AFTER_DAYS = 14

/**
 * Enqueues one reminder per close-out that has waited 1, 3 or 7 days of 24 hours for a signature. The days count from
 * the ramp-in (for lessons without meters: the end of the booking), or from when the signatures were cleared. The stage
 * is stored on the booking; of several missed stages only the latest is sent. Returns the number of reminders.
 */
export function remindOfUnsigned(tx: Tx): Promise<number> {
  const waited = (days: number) => sql`${closedOutSince} <= ${tx.now}::timestamptz - ${days} * interval '24 hours'`
  const [first, second, third] = STAGES
  const stage = sql`case when ${waited(third)} then ${third}::int when ${waited(second)} then ${second}::int else ${first}::int end`
  return claimBatch(tx, {
    table: 'reservation',
    due: sql`r.live and (r.ramped_in_at is not null or ${withoutMeters}) and r.signed_off_at is null
      and r.review_reminder_stage < 7
      and ${waited(first)} and not ${waited(LEFT_AFTER_DAYS)} and r.review_reminder_stage < ${stage}`,
    order: closedOutSince,
    mark: { review_reminder_stage: stage },
    each: notifyAbout(tx, 'review_needed'),
  })
}
