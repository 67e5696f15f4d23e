import {
  createPostgresBackend,
  createRedisBackend,
  type Processor,
  Queue,
  QueueEvents,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { QueueName } from './define-job.ts'

/**
 * Where the queues live: in Redis when there is one, otherwise in PostgreSQL. The one place that knows the
 * difference; queue, worker, events and dashboard code is the same on both.
 */
export interface QueueBackend {
  kind: 'redis' | 'postgres'
  queue(name: QueueName): Queue
  worker(name: QueueName, processor: Processor, options?: Partial<WorkerOptions>): Worker
  events(name: QueueName): QueueEvents
  /** Resolves when the store answers; rejects when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface QueueBackendOptions {
  redisUrl?: string | undefined
  databaseUrl: string
  /** Connections of the PostgreSQL backend: each worker and each listener holds one. */
  poolSize?: number
  onError: (error: Error) => void
}

/**
 * A worker that died is noticed within about 4 seconds (lock 3 s, looked at each second), so its jobs run again
 * within 5. A job may be found stalled often (workers that are killed again and again); it is never given up for it.
 */
const liveness = { lockDuration: 3_000, lockRenewTime: 1_000, stalledInterval: 1_000, maxStalledCount: 1_000 } as const

/** The hash tag keeps all keys in one slot of a Redis Cluster. */
const REDIS_PREFIX = '{flightline}'
const POSTGRES_SCHEMA = 'bullmq'

/** Opens the backend. Queues connect on their own and reconnect by themselves. */
export async function openQueueBackend(options: QueueBackendOptions): Promise<QueueBackend> {
  return options.redisUrl ? redisBackend(options, options.redisUrl) : postgresBackend(options)
}

function redisBackend(options: QueueBackendOptions, url: string): QueueBackend {
  // Producers fail at once while Redis is away (the outbox keeps what is owed); workers wait for it to return.
  const producer = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 5_000 })
  const consumer = new Redis(url, { maxRetriesPerRequest: null })
  for (const connection of [producer, consumer]) connection.on('error', options.onError)
  return compose(options, {
    kind: 'redis',
    factory: createRedisBackend as never,
    producer: { connection: producer, prefix: REDIS_PREFIX, skipWaitingForReady: true },
    consumer: { connection: consumer, prefix: REDIS_PREFIX },
    ping: async () => {
      await producer.ping()
    },
    close: async () => {
      await Promise.allSettled([producer.quit(), consumer.quit()])
      producer.disconnect()
      consumer.disconnect()
    },
  })
}

async function postgresBackend(options: QueueBackendOptions): Promise<QueueBackend> {
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize ?? 30,
    options: `-c search_path=${POSTGRES_SCHEMA}`,
    application_name: 'flightline-queues',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  pool.on('error', options.onError)
  pool.on('connect', (client) => client.on('error', options.onError))
  const client = await pool.connect()
  try {
    await runMigrations(client, POSTGRES_SCHEMA)
  } finally {
    client.release()
  }
  return compose(options, {
    kind: 'postgres',
    factory: createPostgresBackend as never,
    producer: { connection: pool },
    consumer: { connection: pool },
    ping: async () => {
      await pool.query('select 1')
    },
    close: () => pool.end(),
  })
}

interface Parts {
  kind: QueueBackend['kind']
  factory: never
  producer: object
  consumer: object
  ping(): Promise<void>
  close(): Promise<void>
}

function compose(options: QueueBackendOptions, parts: Parts): QueueBackend {
  const queues = new Map<QueueName, Queue>()
  const opened: (Queue | Worker | QueueEvents)[] = []
  function keep<T extends Queue | Worker | QueueEvents>(made: T): T {
    ;(made as Worker).on('error', options.onError)
    opened.push(made)
    return made
  }
  return {
    kind: parts.kind,
    queue(name) {
      const known = queues.get(name) ?? keep(new Queue(name, parts.producer as never, parts.factory))
      queues.set(name, known)
      return known
    },
    worker: (name, processor, extra) =>
      keep(new Worker(name, processor, { ...parts.consumer, ...liveness, ...extra } as never, parts.factory)),
    events: (name) => keep(new QueueEvents(name, parts.consumer as never, parts.factory)),
    ping: parts.ping,
    async close() {
      // Workers first: they finish the jobs in hand, which may still enqueue.
      const order = [...opened].sort((a, b) => Number(b instanceof Worker) - Number(a instanceof Worker))
      for (const made of order) await made.close().catch(options.onError)
      await parts.close()
    },
  }
}
