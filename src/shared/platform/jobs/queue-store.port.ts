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

/** A store of queues, with what differs between Redis and PostgreSQL. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's factory for the store, and its options for queues (`producer`) and for workers (`consumer`). */
  factory: never
  producer: object
  consumer: object
  ping(): Promise<void>
  /**
   * Maintains the queues in one statement: returns the jobs of crashed workers, and notifies this process's workers
   * that wait although there is a job. Null when BullMQ does it itself.
   */
  tend: ((names: readonly string[], limits: StallLimits) => Promise<void>) | null
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues use; null for Redis. */
  connections(): QueueConnections | null
  close(): Promise<void>
}
