/** A place for queues, and what differs between the two. */
export interface QueueStore {
  kind: 'redis' | 'postgres'
  /** BullMQ's own name for the place, and its options for those who add jobs and those who take them. */
  factory: never
  producer: object
  consumer: object
  ping(): Promise<void>
  timesReached(): number
  close(): Promise<void>
}
