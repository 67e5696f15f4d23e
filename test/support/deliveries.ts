import type pg from 'pg'

/**
 * Ends the claims of all calls that are under way, as a minute would: of a worker that was killed at its call. They
 * ended a second ago, since the clock of a virtual machine may be set back by a little between two statements.
 */
export async function endClaims(pool: pg.Pool): Promise<void> {
  await pool.query(`update delivery set claimed_until = now() - interval '1 second' where claimed_until > now()`)
}
