import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { Outage } from './no-show.rules.ts'

/** The job that notes each minute that the service is ready, when it ran last, longer ago than this, notes an outage. */
const OUTAGE_MINUTES = 3
/** A job that waits longer than this shows that the service is not ready. */
const JOB_WAITS_MINUTES = 5

/**
 * Notes that the service is ready now. Each row is a time without interruption, so the times between two rows are outages. A minute in
 * which a job waits for longer than five minutes is not noted.
 */
export async function noteReady(tx: Tx): Promise<void> {
  const { rows: waiting } = await sql`
    select from outbox where failed_at is null and available_at < now() - make_interval(mins => ${sql.lit(JOB_WAITS_MINUTES)})
    limit 1`.execute(tx.db)
  if (waiting.length > 0) return
  const { rows: extended } = await sql`
    update service_uptime set seen_at = greatest(seen_at, ${tx.now})
    where id = (select id from service_uptime order by seen_at desc limit 1)
      and seen_at >= ${tx.now}::timestamptz - make_interval(mins => ${sql.lit(OUTAGE_MINUTES)})
    returning id`.execute(tx.db)
  if (extended.length > 0) return
  await tx.db.insertInto('service_uptime').values({ started_at: tx.now, seen_at: tx.now }).execute()
}

/** Returns the outages that ended since an instant, with one that goes on now. None before the service noted anything. */
export async function findOutages(db: Db, since: Date, now: Date): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    select seen_at as start, coalesce(resumed, ${now}) as "end" from (
      select seen_at, lead(started_at) over (order by seen_at) as resumed from service_uptime
      where seen_at >= ${since}::timestamptz - interval '7 days') up
    where coalesce(resumed, ${now}) > ${since}
      and coalesce(resumed, ${now}) > seen_at + make_interval(mins => ${sql.lit(OUTAGE_MINUTES)})
    order by seen_at`.execute(db)
  return rows
}
