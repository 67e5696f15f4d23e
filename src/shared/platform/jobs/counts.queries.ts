import type pg from 'pg'

/** The numbers of jobs in the outbox. */
export interface OutboxCounts {
  owed: number
  /** Jobs that were given up. */
  failed: number
  /** Seconds since the oldest due job became due; 0 when none is due. */
  oldestSeconds: number
}

/** Returns the numbers of jobs in the outbox, of all organizations. */
export async function countOutbox(pool: pg.Pool): Promise<OutboxCounts> {
  const { rows } = await pool.query<OutboxCounts>(
    `select count(*) filter (where failed_at is null)::int as owed,
            count(*) filter (where failed_at is not null)::int as failed,
            coalesce(extract(epoch from now()
              - min(available_at) filter (where failed_at is null and available_at < now())), 0)::float as "oldestSeconds"
       from outbox`,
  )
  return rows[0] ?? { owed: 0, failed: 0, oldestSeconds: 0 }
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
