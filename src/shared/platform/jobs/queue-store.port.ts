import type { ConnectionCounts } from '../db/database.ts'

/** What the queues of a process hold open in PostgreSQL: their pool, and the connection on which workers wait. */
export interface QueueConnections {
  queue: ConnectionCounts
  listener: number
}

/** A place for queues, and what differs between the two. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's own name for the place, and its options for those who add jobs and those who take them. */
  factory: never
  producer: object
  consumer: object
  ping(): Promise<void>
  connectionEpoch(): number
  /** Connections to PostgreSQL that the queues hold; null where they live elsewhere. */
  connections(): QueueConnections | null
  close(): Promise<void>
}
