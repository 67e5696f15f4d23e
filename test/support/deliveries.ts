import type pg from 'pg'

/** Ends the claims of all running deliveries, as happens a minute after a worker is killed during a delivery. */
export async function endClaims(pool: pg.Pool): Promise<void> {
  await pool.query(`update delivery set claimed_until = now() - interval '1 second' where claimed_until > now()`)
}
