import type pg from 'pg'

/** The connections of one pool. */
export interface ConnectionCounts {
  open: number
  idle: number
  /** Requests that wait for a connection. */
  waiting: number
  /** The most connections that the pool opens. */
  limit: number
}

/** Counts the connections of a pool. */
export function countConnections({ totalCount, idleCount, waitingCount, options }: pg.Pool): ConnectionCounts {
  return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max ?? 0 }
}
