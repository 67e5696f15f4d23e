import { sql } from 'kysely'
import { notifyAbout } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { claimBatch } from '../platform/jobs/claim-batch.ts'

/** Minutes after the expected return at which an alarm is sent. */
const STAGES = [15, 30, 60] as const
/** A flight whose ramp-out is recorded more than this many hours after its booked end raises no alarm. */
const RECORDED_AFTER_HOURS = 24

/**
 * Enqueues one alarm per flight that is not back 15, 30 or 60 minutes after its expected return. The stage is stored on
 * the booking; of several missed stages only the latest is sent, and a ramp-in ends the alarms. Returns the number of
 * alarms.
 * Implements interface §Dispatch.
 */
export function remindOfLate(tx: Tx): Promise<number> {
  const late = (minutes: number) =>
    sql`r.expected_back_at <= ${tx.now}::timestamptz - make_interval(mins => ${sql.lit(minutes)})`
  const [first, second, third] = STAGES
  const stage = sql`case when ${late(third)} then ${sql.lit(third)} when ${late(second)} then ${sql.lit(second)}
    else ${sql.lit(first)} end`
  return claimBatch(tx, {
    table: 'reservation',
    due: sql`r.live and r.ramped_out_at is not null and r.ramped_in_at is null and ${late(first)}
      and r.ramped_out_at <= r.ends_at + make_interval(hours => ${sql.lit(RECORDED_AFTER_HOURS)})
      and r.overdue_stage < ${stage}`,
    order: sql`r.expected_back_at`,
    mark: { overdue_stage: stage },
    each: notifyAbout(tx, 'flight_overdue'),
  })
}
