import type { ConnectionCounts } from '../db/database.ts'

/**
 * The connections of the queues of a process to PostgreSQL. `queue`: the counts of their pool. `listener`: the number
 * of open connections on which workers listen for notifications, 1 or 0.
 */
export interface QueueConnections {
  queue: ConnectionCounts
  listener: number
}

/**
 * The limits for stalled jobs. A job counts as stalled when the lock of its worker has expired, and a check at least
 * `stalledInterval` ms earlier found the job active too. A job that stalls more than `maxStalledCount` times is given
 * up.
 */
export interface StallLimits {
  stalledInterval: number
  maxStalledCount: number
}

/** The completed jobs that a queue keeps for the dashboard: at most `count` jobs, for at most `age` seconds. */
export const KEPT = { count: 1_000, age: 86_400 }

/** The store of the queues, with everything that differs between Redis and PostgreSQL. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's factory for the store, and its options for queues (`producer`) and for workers (`consumer`). */
  factory: never
  producer: object
  consumer: object
  /** The `removeOnComplete` option of each job: the most completed jobs to keep (-1: all), and for how many seconds. */
  completed: { count: number; age?: number }
  /**
   * Resolves when the store can be used.
   * @throws ConfigError when the store is reachable but could lose jobs; another error when it cannot be reached
   */
  check(): Promise<void>
  ping(): Promise<void>
  /** Returns the time of the store's clock, in milliseconds since 1970. */
  now(): Promise<number>
  /**
   * Moves the jobs of crashed workers back to the named queues, and wakes waiting workers of this process whose queue
   * has a job to start. From time to time it also deletes completed jobs beyond `KEPT`. Null for Redis, where BullMQ
   * does all this itself.
   */
  tend: ((names: readonly string[], limits: StallLimits) => Promise<void>) | null
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues use; null for Redis. */
  connections(): QueueConnections | null
  close(): Promise<void>
}
