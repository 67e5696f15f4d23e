import type { OutboxEntry } from '../db/transaction.ts'
import { addToQueues, markPublished } from './add-to-queues.ts'
import type { RelayParts } from './relay-parts.ts'
import { createSweep } from './sweep-outbox.ts'
import { createOutboxWatch } from './watch-outbox.ts'

/**
 * From the outbox to the queue. A row is written in the use case's transaction and lives until a worker has done
 * the job. The process that committed hands its rows over at once; `sweep`, run by the workers, finds what a crash
 * left behind and what the queue's store lost. The job id is the row's id, so handing over twice adds once.
 */
export interface OutboxRelay {
  /** Hands over without making the caller wait; `settle` waits for what is under way. What fails is swept later. */
  publish(enqueued: OutboxEntry[]): void
  /**
   * Hands over and waits until these jobs are done or have failed for good, at most this long. Answers whether all
   * have ended.
   */
  publishAndWait(enqueued: OutboxEntry[], timeoutMs: number): Promise<boolean>
  /** Hands over what was left behind. Answers how many rows it looked at. */
  sweep(): Promise<number>
  settle(): Promise<void>
}

/** Makes the relay of one process. */
export function createOutboxRelay(parts: RelayParts): OutboxRelay {
  const watch = createOutboxWatch(parts)
  let waiting: OutboxEntry[] = []
  let underWay: Promise<void> | null = null

  // What is committed during one hand-over goes along with the next, so that a burst costs few round trips.
  async function handOverAll(): Promise<void> {
    while (waiting.length > 0) {
      const enqueued = waiting
      waiting = []
      await addToQueues(parts, enqueued)
        .then(() => markPublished(parts.database.pool, enqueued))
        .catch(parts.onError)
    }
    underWay = null
  }

  function publish(enqueued: OutboxEntry[]): void {
    if (enqueued.length === 0) return
    waiting.push(...enqueued)
    underWay ??= handOverAll()
  }

  return {
    publish,
    publishAndWait(enqueued, timeoutMs) {
      publish(enqueued)
      return watch.ended(
        enqueued.map((row) => row.id),
        timeoutMs,
      )
    },
    sweep: createSweep(parts),
    async settle() {
      await underWay
    },
  }
}
