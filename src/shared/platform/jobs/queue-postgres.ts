import { createPostgresBackend } from 'bullmq'
import pg from 'pg'
import { countConnections } from '../db/database.ts'
import { dropLostConnections, isAway } from '../db/lost-connections.ts'
import { PrimaryClient } from '../db/primary-client.ts'
import { whenAccepted } from '../db/when-accepted.ts'
import { createQueueListener } from './queue-listener.ts'
import { checkQueueSchema, QUEUE_SCHEMA } from './queue-schema.ts'
import { KEPT, type QueueStore } from './queue-store.port.ts'

/** The default number of connections that all queues and workers of a process share. */
const POOL_SIZE = 4
/** The time limits for opening a connection and for a statement. Waiting for a notification has no limit. */
const CONNECTION_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 17_000
const KEEP_ALIVE_MS = 10_000
/**
 * The seconds after which a worker that received no notification checks for jobs itself. This is rare, since `tend`
 * checks for all workers.
 */
const LOOK_ALONE_SECONDS = 300
/** The most event listeners on the pool. Each queue and each worker adds one for the loss of a connection. */
const LISTENERS = 50
/** The shortest time between two deletions of completed jobs beyond `KEPT`. */
const TRIM_EVERY_MS = 10_000
/** The SQL of the database's time in milliseconds since 1970, the unit that BullMQ uses. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
/** The most attempts at a statement, one second apart, while the server has no free connection. */
const TRIES = 5

interface Connection {
  databaseUrl: string
  poolSize?: number | undefined
  onError: (error: Error) => void
}

/**
 * Opens the queues in PostgreSQL, in the same database as the outbox, so that both are reachable at the same times. The
 * queues share a small pool; the workers listen for notifications on one more connection. Waits while the server has no
 * free connection.
 * @throws Error when the database cannot be reached, or the queues' schema is not migrated
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
  const application = { ...connection, application_name: 'flightline-queues' }
  const pool = new pg.Pool({ ...application, Client: PrimaryClient, max: poolSize ?? POOL_SIZE })
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
  let trimmedAt = Number.NEGATIVE_INFINITY
  const listener = createQueueListener({ ...connection, application_name: 'flightline-listener' }, query)
  // The object that BullMQ uses as its pool.
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
    // A completion deletes no jobs; `tend` does. With a count, BullMQ would scan all kept jobs at each completion, which takes ten
    // times as long as the completion itself.
    completed: { count: -1 },
    // The schema is checked above.
    check: async () => undefined,
    ping: async () => {
      await query('select 1')
    },
    now: async () => Number((await query(`select ${NOW_MS} as now`)).rows[0].now),
    async tend(names, { maxStalledCount, stalledInterval }) {
      const { rows } = await query(tending, [names, maxStalledCount, stalledInterval])
      for (const { queue } of rows) listener.wake(queue)
      if (performance.now() - trimmedAt < TRIM_EVERY_MS) return
      trimmedAt = performance.now()
      await query(trimming, [names, KEPT.count, KEPT.age * 1000])
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
 * Moves stalled jobs back to waiting, by a function of BullMQ, in the queues that have active jobs. Returns the queues
 * that got jobs back or have a job to start. The statement writes nothing while no queue has an active job.
 */
const tending = `
  select queue from (
    select queue, array(select move_stalled_jobs_to_wait(queue, $2, ${NOW_MS}, $3)
        where exists (select from job j where j.queue = q.queue and j.state = 'active')) as given_back,
      (exists (select from job j where j.queue = q.queue and j.state = 'waiting')
        or exists (select from job j where j.queue = q.queue and j.state = 'delayed' and j.process_at_ms <= ${NOW_MS}))
      and not exists (select from meta m where m.queue = q.queue and m.field = 'paused' and m.value = '1') as startable
    from unnest($1::text[]) q(queue) offset 0) tended
  where startable or cardinality(given_back) > 0`

/**
 * Deletes completed jobs beyond the newest `$2` of each queue, and those that ended `$3` ms ago or earlier. Jobs that
 * ended in the same millisecond are deleted together.
 */
const trimming = `
  delete from job j using (
    select queue, greatest(${NOW_MS} - $3::bigint, (select d.finished_at_ms from job d where d.queue = q.queue and d.state = 'completed'
      order by d.finished_at_ms desc offset $2 limit 1)) as until
    from unnest($1::text[]) q(queue)) old
  where j.queue = old.queue and j.state = 'completed' and j.finished_at_ms <= old.until`

/**
 * Reports every unavailable database to BullMQ as ECONNREFUSED, because BullMQ retries only after that error. After
 * another error, for example while the database starts up, BullMQ marks finished jobs as failed and requests the next
 * job without a delay.
 */
async function inBullsWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAway(error)) throw error
    throw Object.assign(new Error('the queues cannot be reached', { cause: error }), { code: 'ECONNREFUSED' })
  }
}
