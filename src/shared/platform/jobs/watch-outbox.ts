import { setTimeout as pause } from 'node:timers/promises'
import type { RelayParts } from './add-to-queues.ts'

/** The polling interval while there are waiters, and the delay after a failed poll. */
const LOOK_EVERY_MS = 25
const AFTER_FAILURE_MS = 250

/** Waits for jobs to end. */
export interface OutboxWatch {
  /**
   * Waits, at most `timeoutMs`, until the jobs are done or given up. Returns false when some have not ended by then.
   */
  ended(ids: string[], timeoutMs: number): Promise<boolean>
}

/**
 * Creates the watch, which polls the outbox. A job is done when its row is deleted, and given up when its row has
 * `failed_at`. The watch reads the outbox instead of queue events, so that a lost event or an unreachable queue does
 * not matter. One query per poll serves all waiters of this process.
 */
export function createOutboxWatch({ database, onError }: Pick<RelayParts, 'database' | 'onError'>): OutboxWatch {
  const awaited = new Map<string, () => void>()
  let looking = false

  async function look(): Promise<void> {
    const ids = [...awaited.keys()]
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from outbox where id = any($1::uuid[]) and failed_at is null',
      [ids],
    )
    const enqueued = new Set(rows.map((row) => row.id))
    for (const id of ids) if (!enqueued.has(id)) awaited.get(id)?.()
  }

  async function keepLooking(): Promise<void> {
    if (looking) return
    looking = true
    while (awaited.size > 0) {
      const seen = await look().then(
        () => true,
        (error: Error) => {
          onError(error)
          return false
        },
      )
      await pause(seen ? LOOK_EVERY_MS : AFTER_FAILURE_MS)
    }
    looking = false
  }

  return {
    async ended(ids, timeoutMs) {
      const all = Promise.all(ids.map((id) => new Promise<void>((resolve) => awaited.set(id, resolve))))
      const timer = new AbortController()
      const timeUp = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false)
      void keepLooking()
      const done = await Promise.race([all.then(() => true), timeUp])
      timer.abort()
      for (const id of ids) awaited.delete(id)
      return done
    },
  }
}
