import type pg from 'pg'

/** The connections of one pool. */
export interface ConnectionCounts {
  open: number
  idle: number
  /** How many wait for one. */
  waiting: number
  /** The most that it may open. */
  limit: number
}

/** Counts the connections of a pool. */
export function countConnections({ totalCount, idleCount, waitingCount, options }: pg.Pool): ConnectionCounts {
  return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max ?? 0 }
}
