import { createPostgresBackend, runMigrations } from 'bullmq'
import pg from 'pg'
import { isAway } from '../db/is-away.ts'
import { dropLostConnections } from '../db/lost-connections.ts'
import type { QueueStore } from './queue-store.ts'

const SCHEMA = 'bullmq'
const POOL_SIZE = 30
/** How long a connection may take, and then a statement. Waiting for a notification is neither. */
const CONNECTION_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 17_000
const KEEP_ALIVE_MS = 10_000
/** Each queue and each worker listens for the loss of a connection. */
const LISTENERS = 50

interface Connection {
  databaseUrl: string
  poolSize?: number
  onError: (error: Error) => void
}

/**
 * Queues in PostgreSQL, beside the outbox: they are there whenever it is.
 * @throws when the database cannot be reached.
 */
export async function connectPostgres({ databaseUrl, poolSize, onError }: Connection): Promise<QueueStore> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize ?? POOL_SIZE,
    options: `-c search_path=${SCHEMA}`,
    application_name: 'flightline-queues',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  pool.setMaxListeners(LISTENERS)
  dropLostConnections(pool, onError)
  const client = await pool.connect()
  try {
    await runMigrations(client, SCHEMA)
  } finally {
    client.release()
  }
  sayLostInBullsWords(pool)
  return {
    kind: 'postgres',
    factory: createPostgresBackend as never,
    producer: { connection: pool },
    consumer: { connection: pool },
    ping: async () => {
      await pool.query('select 1')
    },
    timesReached: () => 0,
    close: () => pool.end(),
  }
}

/**
 * BullMQ takes a store for lost only by ECONNREFUSED, and then tries again. Told anything else, such as that the
 * database is starting up, it gives a job that is done out as failed, and asks for the next without a pause.
 */
function sayLostInBullsWords(pool: pg.Pool): void {
  const query = pool.query.bind(pool)
  const retold = async (text: string, values?: unknown[]) => {
    try {
      return await query(text, values)
    } catch (error) {
      if (!isAway(error)) throw error
      throw Object.assign(new Error('the queues cannot be reached', { cause: error }), { code: 'ECONNREFUSED' })
    }
  }
  pool.query = retold as typeof pool.query
}
