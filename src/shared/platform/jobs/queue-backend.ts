import { type BackoffStrategy, type Processor, Queue, Worker, type WorkerOptions } from 'bullmq'
import { ConfigError } from '../config/config.ts'
import { type QueueName, queueNames } from '../contracts/define-job.ts'
import { type FollowedClock, followClock } from '../kernel/followed-clock.ts'
import { connectPostgres } from './queue-postgres.ts'
import { connectRedis } from './queue-redis.ts'
import type { QueueConnections, QueueStore } from './queue-store.port.ts'
import { byStoresClock } from './store-clock.ts'

/** The name of the `backoff` strategy in a job's options. */
export const backoffType = 'doubling'

/** The upper limit for the retry time of an error, in milliseconds. */
const LONGEST_WISH_MS = 3_600_000

/**
 * Returns the delay before a retry, in milliseconds. It doubles with each attempt and is reduced by up to half at
 * random, so that jobs which failed together do not retry together. It is at least the retry time of the error.
 */
export const backoff: BackoffStrategy = (attemptsMade, _type, error, job) => {
  const declared = job?.opts.backoff
  const firstMs = typeof declared === 'object' ? (declared.delay ?? 0) : (declared ?? 0)
  const doubledMs = firstMs * 2 ** (attemptsMade - 1)
  return Math.round(Math.max(doubledMs * (1 - Math.random() / 2), wishMs(error)))
}

/** Returns the retry time of an adapter's error, in milliseconds: at most `LONGEST_WISH_MS`, and 0 when it has none. */
function wishMs(error: (Error & { retryAfterSeconds?: number | null }) | undefined): number {
  return Math.min((error?.retryAfterSeconds ?? 0) * 1_000, LONGEST_WISH_MS)
}

/**
 * The store of the queues: Redis when it is configured, otherwise PostgreSQL. Queue, worker and dashboard code is the
 * same on both.
 */
export interface QueueBackend {
  kind: QueueStore['kind']
  /** The `removeOnComplete` option of each job. */
  completed: QueueStore['completed']
  /** @throws Error when the process started without the store and has not reached it since */
  queue(name: QueueName): Queue
  worker(name: QueueName, processor: Processor, options?: Partial<WorkerOptions>): Worker
  /**
   * Moves the jobs of crashed workers back to these queues, and wakes workers that missed a notification. Called once
   * per second. Does nothing in Redis, where BullMQ's workers do both.
   */
  tend(names: readonly QueueName[]): Promise<void>
  /** Resolves when the store answers; rejects when it does not. */
  ping(): Promise<void>
  /** Returns the current time of the store's clock, in milliseconds since 1970. Jobs become due by this clock. */
  now(): number
  /**
   * The number of times that the store became reachable; always 0 for PostgreSQL. When it grows, Redis may have lost
   * its jobs.
   */
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues use; null for Redis. */
  connections(): QueueConnections | null
  close(): Promise<void>
}

export interface QueueBackendOptions {
  redisUrl?: string | undefined
  databaseUrl: string
  /** The pool size of the PostgreSQL backend, without the one connection on which workers listen. */
  poolSize?: number | undefined
  onError: (error: Error) => void
  /**
   * Whether to open although Redis cannot be reached. The backend then tries to connect each second until it succeeds.
   */
  mayBeAway?: boolean | undefined
}

/**
 * A crashed worker is detected within about 4 seconds (its lock lasts 3 s and is checked each second), so its jobs run
 * again within 5 s. A worker that was only paused continues: its stalled job may run twice at the same time, and the
 * claim of the delivery decides which run makes the call. A job that stalls more than a hundred times is given up. So
 * fifty random kills of workers lose no job, and a job that kills every worker is not repeated for ever. Implements
 * docs/decisions/0037. After a failed access to the store, a worker tries again after half a second.
 */
const liveness = {
  lockDuration: 3_000,
  lockRenewTime: 1_000,
  stalledInterval: 1_000,
  maxStalledCount: 100,
  runRetryDelay: 500,
  settings: { backoffStrategy: backoff },
} as const

/** The interval at which a process that started without the store tries to connect its queues. */
const CONNECT_AGAIN_MS = 1_000

/**
 * Opens the backend and connects all its queues. A BullMQ queue whose first connection fails never recovers; a queue
 * that was connected once reconnects by itself.
 * @throws ConfigError when the store could lose jobs; another error when it cannot be reached, except for a Redis with
 * `mayBeAway`
 */
export async function openQueueBackend(options: QueueBackendOptions): Promise<QueueBackend> {
  const { onError } = options
  const store = options.redisUrl ? connectRedis(options.redisUrl, onError) : await connectPostgres(options)
  let clock: FollowedClock | undefined
  const storesTime = () => clock?.now() ?? Date.now()
  const factory = byStoresClock(store.kind, store.factory, { now: storesTime })
  const workers: Worker[] = []
  let queues = new Map<QueueName, Queue>()
  let whyNone: Error | null = null
  let again: NodeJS.Timeout | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    await store.check()
    clock ??= await followClock(store.now)
    const made = new Map(queueNames.map((name) => [name, new Queue(name, store.producer as never, factory)]))
    for (const queue of made.values()) queue.on('error', onError)
    try {
      await Promise.all([...made.values()].map((queue) => queue.waitUntilReady()))
    } catch (error) {
      await closeAll(made.values())
      throw error
    }
    queues = made
    whyNone = null
  }

  function connectLater(error: Error): void {
    whyNone = error
    onError(error)
    again = setTimeout(() => {
      if (!isClosed) connect().catch((next: Error) => isClosed || connectLater(next))
    }, CONNECT_AGAIN_MS).unref()
  }

  async function closeAll(made: Iterable<Worker | Queue>): Promise<void> {
    for (const one of made) await one.close().catch(onError)
  }

  await connect().catch(async (error: Error) => {
    if (options.mayBeAway && options.redisUrl && !(error instanceof ConfigError)) return connectLater(error)
    await store.close()
    throw error
  })
  return {
    kind: store.kind,
    completed: store.completed,
    queue(name) {
      if (whyNone) throw whyNone
      return queues.get(name)!
    },
    worker(name, processor, extra) {
      const worker = new Worker(name, processor, { ...store.consumer, ...liveness, ...extra } as never, factory)
      worker.on('error', onError)
      workers.push(worker)
      return worker
    },
    tend: async (names) => store.tend?.(names, liveness),
    async ping() {
      if (whyNone) throw whyNone
      await store.ping()
    },
    now: storesTime,
    connectionEpoch: store.connectionEpoch,
    connections: store.connections,
    async close() {
      isClosed = true
      clearTimeout(again)
      clock?.stop()
      // Workers close first: they finish their running jobs, which may still enqueue other jobs.
      await closeAll([...workers, ...queues.values()])
      await store.close()
    },
  }
}
