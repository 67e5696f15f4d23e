import type pg from 'pg'

/** The deliveries of one kind that began within the last 24 hours, by result. */
export interface DeliveryCounts {
  kind: string
  delivered: number
  /** Claimed more than once: put off, timed out, or the worker died. */
  retried: number
  givenUp: number
  /** Neither delivered nor given up yet. */
  open: number
}

/** Counts the deliveries that began within the last 24 hours, by kind. */
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
