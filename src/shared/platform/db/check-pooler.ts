import { ConfigError } from '../config/config.ts'
import type { Database } from './database.ts'

/** What PostgreSQL and poolers answer to a connection that asks for an unknown parameter (protocol violation). */
const REFUSED_PARAMETER = '08P01'

/**
 * Checks that a process fits the pooler in front of the database, if there is one. A database that cannot be reached is
 * not judged: the process waits for it.
 * @throws ConfigError when the pooler refuses what a connection asks for, and when statements behind one have no time limit
 */
export async function checkPooler({ pool }: Pick<Database, 'pool'>, prepare: boolean): Promise<void> {
  const limit = await pool.query<{ limit: string }>("select current_setting('statement_timeout') as limit").then(
    ({ rows }) => rows[0]?.limit,
    (error: Error & { code?: string }) => {
      if (error.code !== REFUSED_PARAMETER) return undefined
      throw new ConfigError(`DATABASE_URL: a pooler answers there (${error.message}): set DATABASE_PREPARE=off`)
    },
  )
  if (prepare || limit !== '0') return
  throw new ConfigError(
    "DATABASE_PREPARE: off needs a time limit of the role: alter role … set statement_timeout = '15s', and " +
      "set idle_in_transaction_session_timeout = '15s'; the pooler has to open its connections anew then",
  )
}
