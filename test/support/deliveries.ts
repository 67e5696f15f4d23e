import type pg from 'pg'

/**
 * Ends the claims of all running deliveries, as happens a minute after a worker is killed during a delivery. They end a
 * second in the past, since the clock of a virtual machine may be set back a little between two statements.
 */
export async function endClaims(pool: pg.Pool): Promise<void> {
  await pool.query(`update delivery set claimed_until = now() - interval '1 second' where claimed_until > now()`)
}
