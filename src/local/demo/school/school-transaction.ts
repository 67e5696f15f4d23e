import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../shared/platform/db/transaction.ts'

/** Runs the use cases of a whole week in one transaction. */
export interface SchoolTransaction {
  /** Runs a use case with `now` as its time. It sees the writes of earlier ones. */
  at<T>(now: Date, useCase: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * Returns a transaction whose use cases run at their own time. Only invoice jobs are enqueued: nobody is notified of
 * past bookings.
 */
export function schoolTransaction(outer: Tx): SchoolTransaction {
  return {
    async at(now, useCase) {
      const result = await useCase({
        ...outer,
        now,
        enqueue: (job, payload, options) =>
          job.queue === 'invoicing' ? outer.enqueue(job, payload, options) : randomUUID(),
      })
      await outer.em.flush()
      outer.em.clear()
      return result
    },
  }
}
