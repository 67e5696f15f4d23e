import type pg from 'pg'

/** The numbers of jobs in the outbox. */
export interface OutboxCounts {
  pending: number
  /** Jobs that were given up. */
  failed: number
  /** Seconds since the oldest due job became due; 0 when none is due. */
  oldestSeconds: number
}

/** Returns the numbers of jobs in the outbox, of all organizations. */
export async function countOutbox(pool: pg.Pool): Promise<OutboxCounts> {
  const { rows } = await pool.query<OutboxCounts>(
    `select count(*) filter (where failed_at is null)::int as pending,
            count(*) filter (where failed_at is not null)::int as failed,
            coalesce(extract(epoch from now()
              - min(available_at) filter (where failed_at is null and available_at < now())), 0)::float as "oldestSeconds"
       from outbox`,
  )
  return rows[0] ?? { pending: 0, failed: 0, oldestSeconds: 0 }
}

/** The due jobs of one kind that have failed more than once, or have been due for more than a minute. */
export interface StuckJobs {
  job: string
  count: number
  /** The earliest instant at which one of them became due. */
  dueSince: Date
  /** The highest number of failures of one job. */
  failures: number
  /** The error of the latest failure; null when none has failed. */
  reason: string | null
}

/** Returns the stuck jobs of all organizations by kind. The kind with the most jobs comes first. */
export async function findStuck(pool: pg.Pool): Promise<StuckJobs[]> {
  const { rows } = await pool.query<StuckJobs>(
    `select job, count(*)::int as count, min(available_at) as "dueSince", max(failures) as failures,
            (array_agg(last_failure order by last_failed_at desc nulls last))[1] as reason
       from outbox
      where failed_at is null and available_at <= now()
        and (failures > 1 or available_at < now() - interval '1 minute')
      group by job order by 2 desc, job`,
  )
  return rows
}

/**
 * Returns how many events of the payment gateway a job has looked up within the last 24 hours, because no webhook had
 * reported them.
 */
export async function countMissedWebhooks(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from gateway_event where looked_up and created_at > now() - interval '1 day'`,
  )
  return rows[0]?.count ?? 0
}

/** The numbers of deliveries of one kind that began within the last 24 hours, by result. */
interface DeliveryCounts {
  kind: string
  delivered: number
  /** Claimed more than once: postponed, timed out, or the worker crashed. */
  retried: number
  givenUp: number
  /** Neither delivered nor given up yet. */
  open: number
}

/** Returns the numbers of deliveries that began within the last 24 hours, by kind. */
export async function countDeliveries(pool: pg.Pool): Promise<DeliveryCounts[]> {
  const { rows } = await pool.query<DeliveryCounts>(
    `select kind, count(*) filter (where outcome = 'delivered')::int as delivered,
            count(*) filter (where attempts > 1)::int as retried,
            count(*) filter (where outcome = 'given_up')::int as "givenUp",
            count(*) filter (where outcome is null)::int as open
       from delivery where created_at > now() - interval '1 day' group by kind`,
  )
  return rows
}
