import type { OutboxEntry } from '../db/transaction.ts'
import { addToQueues, type RelayParts } from './add-to-queues.ts'
import { createSweep } from './sweep-outbox.ts'
import { createOutboxWatch } from './watch-outbox.ts'

/**
 * Publishes outbox entries to the queue. A row is written in the use case's transaction and deleted when a worker has
 * done the job. After the commit, the same process publishes the rows and writes nothing about it. The workers run
 * `sweep`, which looks up in its queue what is not done after two seconds, and adds what a crash left unpublished or the
 * queue's store lost. The job id is the row's id, so publishing a row twice adds one job. Implements docs/decisions/0003.
 */
export interface OutboxRelay {
  /** Publishes entries in the background; `drain` waits for this. When it fails, the sweep publishes them later. */
  publish(enqueued: OutboxEntry[]): void
  /**
   * Publishes entries and waits, at most `timeoutMs`, until their jobs are done or given up. Returns false when some
   * have not ended by then.
   * Implements docs/decisions/0008.
   */
  publishAndWait(enqueued: OutboxEntry[], timeoutMs: number): Promise<boolean>
  /** Publishes entries whose jobs are not in their queues. Returns the number of rows that it examined. */
  sweep(): Promise<number>
  /** Resolves when all entries that `publish` received are in their queues, or could not be added. */
  drain(): Promise<void>
}

/** Creates the relay of one process. */
export function createOutboxRelay(parts: RelayParts): OutboxRelay {
  const watch = createOutboxWatch(parts)
  let waiting: OutboxEntry[] = []
  let underWay: Promise<void> | null = null

  // Entries that arrive during a publication form the next batch, so that many entries need few round trips.
  async function publishAll(): Promise<void> {
    while (waiting.length > 0) {
      const enqueued = waiting
      waiting = []
      await addToQueues(parts, enqueued).catch(parts.onError)
    }
    underWay = null
  }

  function publish(enqueued: OutboxEntry[]): void {
    if (enqueued.length === 0) return
    waiting.push(...enqueued)
    underWay ??= publishAll()
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
    async drain() {
      await underWay
    },
  }
}
