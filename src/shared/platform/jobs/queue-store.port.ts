import type { ConnectionCounts } from '../db/database.ts'

/** What the queues of a process hold open in PostgreSQL: their pool, and the connection on which workers wait. */
export interface QueueConnections {
  queue: ConnectionCounts
  listener: number
}

/** When a job counts as stalled: its worker's lock has run out, and a look this long ago found it active too. */
export interface StallLimits {
  stalledInterval: number
  maxStalledCount: number
}

/** A place for queues, and what differs between the two. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's own name for the place, and its options for those who add jobs and those who take them. */
  factory: never
  producer: object
  consumer: object
  ping(): Promise<void>
  /**
   * Maintains the queues in one statement: returns the jobs of workers that crashed, and notifies this process's workers that
   * wait although there is a job. Null where BullMQ does it, queue by queue.
   */
  tend: ((names: readonly string[], limits: StallLimits) => Promise<void>) | null
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues hold; null where they live elsewhere. */
  connections(): QueueConnections | null
  close(): Promise<void>
}
