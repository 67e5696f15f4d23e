import type pg from 'pg'

/** Ends the claims of all calls that are under way, as a minute would: of a worker that was killed at its call. */
export async function endClaims(pool: pg.Pool): Promise<void> {
  await pool.query('update delivery set claimed_until = now() where claimed_until > now()')
}
