import { sql } from 'kysely'
import { notifyAbout } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { claimBatch } from '../platform/jobs/claim-batch.ts'
import { callsNoShows, expected, noShowMinutes } from './no-show.queries.ts'

/**
 * Enqueues one notification to the desk for each booking that nobody has ramped out when half of `noShowMinutes` has passed since its
 * start. A booking that is moved is told of again. Returns the number of notifications.
 * Implements interface §Dispatch: no-shows.
 */
export function remindOfNoShows(tx: Tx): Promise<number> {
  return claimBatch(tx, {
    table: 'reservation',
    join: callsNoShows,
    due: sql`${expected} and r.starts_at <= ${tx.now}::timestamptz - make_interval(secs => 30 * ${noShowMinutes})
      and r.starts_at >= ${tx.now}::timestamptz - interval '5 hours' and r.no_show_told_for is distinct from r.starts_at`,
    order: sql`r.starts_at`,
    mark: { no_show_told_for: sql`r.starts_at` },
    each: notifyAbout(tx, 'no_show_near'),
  })
}
