import { ConfigError } from '../config/config.ts'
import type { Database } from './database.ts'

/** The SQLSTATE (protocol violation) of a connection that sets an unknown parameter. */
const REFUSED_PARAMETER = '08P01'

/**
 * Ensures that the configuration fits the pooler in front of the database, if there is one. Does nothing when the
 * database cannot be reached: the process waits for it later.
 * @throws ConfigError when a pooler refuses the connection's parameters, or when `prepare` is false and the role sets
 * no time limit for statements
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
