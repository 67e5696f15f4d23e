import type { OwedJob } from '../db/transaction.ts'
import { addToQueues, markHandedOver } from './add-to-queues.ts'
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
  handOverSoon(owed: OwedJob[]): void
  /**
   * Hands over and waits until these jobs are done or have failed for good, at most this long. Answers whether all
   * have ended.
   */
  handOverAndWait(owed: OwedJob[], timeoutMs: number): Promise<boolean>
  /** Hands over what was left behind. Answers how many rows it looked at. */
  sweep(): Promise<number>
  settle(): Promise<void>
}

/** Makes the relay of one process. */
export function createOutboxRelay(parts: RelayParts): OutboxRelay {
  const watch = createOutboxWatch(parts)
  let waiting: OwedJob[] = []
  let underWay: Promise<void> | null = null

  // What is committed during one hand-over goes along with the next, so that a burst costs few round trips.
  async function handOverAll(): Promise<void> {
    while (waiting.length > 0) {
      const owed = waiting
      waiting = []
      await addToQueues(parts, owed)
        .then(() => markHandedOver(parts.database.pool, owed))
        .catch(parts.onError)
    }
    underWay = null
  }

  function handOverSoon(owed: OwedJob[]): void {
    if (owed.length === 0) return
    waiting.push(...owed)
    underWay ??= handOverAll()
  }

  return {
    handOverSoon,
    handOverAndWait(owed, timeoutMs) {
      handOverSoon(owed)
      return watch.ended(
        owed.map((row) => row.id),
        timeoutMs,
      )
    },
    sweep: createSweep(parts),
    async settle() {
      await underWay
    },
  }
}
