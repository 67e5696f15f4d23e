import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../shared/platform/db/transaction.ts'

/** The use cases of a whole week, in one transaction: the school is there, or it is not. */
export interface SchoolTransaction {
  /** Runs a use case as if it were another time. It sees all that those before it wrote. */
  at<T>(now: Date, useCase: (tx: Tx) => Promise<T>): Promise<T>
}

/**
 * Lets use cases run at their own time in one transaction. Only invoices become jobs: nobody is told today of a booking
 * of last week.
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
