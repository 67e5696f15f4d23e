import type { ConnectionCounts } from '../db/database.ts'

/** The open connections of a process's queues to PostgreSQL: their pool, and the one on which workers wait. */
export interface QueueConnections {
  queue: ConnectionCounts
  listener: number
}

/**
 * When a job counts as stalled: the lock of its worker has expired, and an earlier check, at least `stalledInterval`
 * ms ago, found it active too.
 */
export interface StallLimits {
  stalledInterval: number
  maxStalledCount: number
}

/** The most completed jobs that a queue keeps, and for how many seconds: the dashboard shows them. */
export const KEPT = { count: 1_000, age: 86_400 }

/** A store of queues, with what differs between Redis and PostgreSQL. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's factory for the store, and its options for queues (`producer`) and for workers (`consumer`). */
  factory: never
  producer: object
  consumer: object
  /** How a job is kept that is completed: what the store does at each completion. */
  completed: { count: number; age?: number }
  /**
   * Resolves when the store can be used.
   * @throws ConfigError when it is there and would lose jobs, another error when it cannot be reached
   */
  check(): Promise<void>
  ping(): Promise<void>
  /** Returns the time of the store's clock, in milliseconds since 1970. */
  now(): Promise<number>
  /**
   * Maintains the queues in one statement: returns the jobs of crashed workers, and notifies this process's workers
   * that wait although there is a job. From time to time it deletes completed jobs beyond those that are kept. Null when
   * BullMQ does it itself.
   */
  tend: ((names: readonly string[], limits: StallLimits) => Promise<void>) | null
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues use; null for Redis. */
  connections(): QueueConnections | null
  close(): Promise<void>
}
