import { createPostgresBackend } from 'bullmq'
import pg from 'pg'
import { countConnections } from '../db/database.ts'
import { dropLostConnections, isAway } from '../db/lost-connections.ts'
import { whenAccepted } from '../db/when-accepted.ts'
import { createQueueListener } from './queue-listener.ts'
import { checkQueueSchema, QUEUE_SCHEMA } from './queue-schema.ts'
import type { QueueStore } from './queue-store.port.ts'

/** Connections that all queues and workers of a process share, when nothing else is asked for. */
const POOL_SIZE = 4
/** How long a connection may take, and then a statement. Waiting for a notification is neither. */
const CONNECTION_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 17_000
const KEEP_ALIVE_MS = 10_000
/**
 * Seconds after which a worker without a notification looks for a job itself: rarely, since `tend` looks for all of them.
 */
const LOOK_ALONE_SECONDS = 300
/** Each queue and each worker listens for the loss of a connection. */
const LISTENERS = 50
/** A pool that is under way and finds no connection left on the server tries again this often, a second apart. */
const TRIES = 5

interface Connection {
  databaseUrl: string
  poolSize?: number | undefined
  onError: (error: Error) => void
}

/**
 * Queues in PostgreSQL, beside the outbox: they are there whenever it is. They share a small pool, and the workers one
 * connection more on which they wait. Waits for its turn while the server has no connection left.
 * @throws when the database cannot be reached, or the queues' schema has to be migrated first.
 */
export async function connectPostgres({ databaseUrl, poolSize, onError }: Connection): Promise<QueueStore> {
  const connection = {
    connectionString: databaseUrl,
    options: `-c search_path=${QUEUE_SCHEMA}`,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
  const pool = new pg.Pool({ ...connection, application_name: 'flightline-queues', max: poolSize ?? POOL_SIZE })
  pool.setMaxListeners(LISTENERS)
  dropLostConnections(pool, onError)
  const client = await whenAccepted(() => pool.connect(), { onError })
  try {
    await checkQueueSchema(client)
  } finally {
    client.release()
  }
  const query = (text: string, values?: unknown[]) =>
    inBullsWords(() => whenAccepted(() => pool.query(text, values), { onError, tries: TRIES }))
  const listener = createQueueListener({ ...connection, application_name: 'flightline-listener' }, query)
  // BullMQ takes it for a pool.
  const shared = {
    options: pool.options,
    query,
    connect: async () => listener.client(),
    on: pool.on.bind(pool),
    removeAllListeners: () => {},
    end: async () => {},
  }
  return {
    kind: 'postgres',
    factory: createPostgresBackend as never,
    producer: { connection: shared },
    consumer: { connection: shared, drainDelay: LOOK_ALONE_SECONDS, skipStalledCheck: true },
    ping: async () => {
      await query('select 1')
    },
    async tend(names, { maxStalledCount, stalledInterval }) {
      const { rows } = await query(tending, [names, maxStalledCount, Date.now(), stalledInterval])
      for (const { queue } of rows) listener.wake(queue)
    },
    connectionEpoch: () => 0,
    connections: () => ({ queue: countConnections(pool), listener: listener.open() }),
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}

/**
 * Has BullMQ's own function look at the queues with active jobs, and returns those with a job to start. The statement
 * writes nothing while no queue has any.
 */
const tending = `
  select queue from (
    select queue, array(select move_stalled_jobs_to_wait(queue, $2, $3, $4)
        where exists (select from job j where j.queue = q.queue and j.state = 'active')) as given_back,
      (exists (select from job j where j.queue = q.queue and j.state = 'waiting')
        or exists (select from job j where j.queue = q.queue and j.state = 'delayed' and j.process_at_ms <= $3))
      and not exists (select from meta m where m.queue = q.queue and m.field = 'paused' and m.value = '1') as startable
    from unnest($1::text[]) q(queue) offset 0) tended
  where startable or cardinality(given_back) > 0`

/**
 * BullMQ takes a store for lost only by ECONNREFUSED, and then tries again. On any other error, such as that the
 * database is starting up, it gives a job that is done out as failed, and asks for the next without a pause.
 */
async function inBullsWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAway(error)) throw error
    throw Object.assign(new Error('the queues cannot be reached', { cause: error }), { code: 'ECONNREFUSED' })
  }
}
