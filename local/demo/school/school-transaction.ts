import { randomUUID } from 'node:crypto'
import { fanOutNotification } from '../../../src/shared/communication/communication.jobs.ts'
import type { JobPayload, QueueName } from '../../../src/shared/platform/contracts/define-job.ts'
import type { Tx } from '../../../src/shared/platform/db/transaction.ts'
import { backdated } from './backdated.ts'

/** Runs the use cases of the school's past in one transaction. */
export interface SchoolTransaction {
  /** Runs a use case with `now` as its time. It sees the writes of earlier use cases, and its rows are created at `now`. */
  at<T>(now: Date, useCase: (tx: Tx) => Promise<T>): Promise<T>
  /** The notifications of the use cases, in order. They are collected here instead of being sent. */
  notified: NotifiedEvent[]
}

/** A domain event, and the key of its notification. */
export interface NotifiedEvent {
  key: string
  event: JobPayload<typeof fanOutNotification>
}

/** The queues whose jobs run after the school is created. Mails, pushes and reminders of its past are not sent. */
const queues: readonly QueueName[] = ['invoicing', 'webhooks']

/** Returns a transaction in which each use case runs at its own time. */
export function schoolTransaction(outer: Tx): SchoolTransaction {
  const notified: NotifiedEvent[] = []
  const clock = backdated(outer)
  return {
    notified,
    async at(now, useCase) {
      const result = await useCase({
        ...outer,
        db: clock.db(now),
        now,
        enqueue: (job, payload, options) => {
          if (queues.includes(job.queue)) return outer.enqueue(job, payload, options)
          const key = randomUUID()
          if (job.name === fanOutNotification.name)
            notified.push({ key, event: fanOutNotification.payload.parse(payload) })
          return key
        },
      })
      await outer.em.flush()
      outer.em.clear()
      clock.end()
      return result
    },
  }
}
