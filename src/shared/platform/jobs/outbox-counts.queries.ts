import type pg from 'pg'

/** The jobs in the outbox. */
export interface OutboxCounts {
  owed: number
  /** Jobs that were given up. */
  failed: number
  /** Seconds for which the oldest job that is due has been owed; 0 when none is. */
  oldestSeconds: number
}

/** Counts the jobs in the outbox of all organizations. */
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
