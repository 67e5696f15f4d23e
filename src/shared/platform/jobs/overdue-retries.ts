import type { QueueBackend } from './queue-backend.ts'

/** The time by which a job may be later than its delay says. */
const SLACK_MS = 30_000
/** After this time a job that is no longer seen is forgotten. */
const FORGET_MS = 2 * 3_600_000

/** A delayed job of the outbox that the sweep has looked up. */
interface Delayed {
  id: string
  queue: Parameters<QueueBackend['queue']>[0]
}

/**
 * Returns a function that starts jobs which are delayed beyond their back-off, as by a worker whose clock was wrong. It
 * measures how long a job has waited by the monotonic clock of this process, from when it saw the job first.
 */
export function createPromotion(backend: Pick<QueueBackend, 'queue'>): (delayed: readonly Delayed[]) => Promise<void> {
  const seen = new Map<string, { attempts: number; at: number }>()
  return async (delayed) => {
    const now = performance.now()
    for (const [id, { at }] of seen) if (at < now - FORGET_MS) seen.delete(id)
    for (const { id, queue } of delayed) {
      const job = await backend.queue(queue).getJob(id)
      if (!job) continue
      const before = seen.get(id)
      if (before?.attempts !== job.attemptsMade) seen.set(id, { attempts: job.attemptsMade, at: now })
      // One that was never tried is due since its row is: the sweep looks at no other rows.
      const waited =
        job.attemptsMade === 0 || (before?.attempts === job.attemptsMade && now - before.at > job.delay + SLACK_MS)
      // Another process, or its worker, may start it at the same time.
      if (waited) await job.promote().catch(() => undefined)
    }
  }
}
