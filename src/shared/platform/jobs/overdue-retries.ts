import type { QueueBackend } from './queue-backend.ts'

/** How much longer than its delay a job may wait before it is started. */
const SLACK_MS = 30_000
/** A job is forgotten this long after it was first seen with its number of attempts. */
const FORGET_MS = 2 * 3_600_000

/** A delayed job of the outbox that the sweep has looked up. */
interface Delayed {
  id: string
  queue: Parameters<QueueBackend['queue']>[0]
}

/**
 * Returns a function that starts jobs that are delayed beyond their back-off, for example because the clock of a worker
 * was wrong. It measures the wait of a job by the monotonic clock of this process, from when it first saw the job with
 * its number of attempts.
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
      // A job that was never tried is due, because the sweep passes only due rows.
      const waited =
        job.attemptsMade === 0 || (before?.attempts === job.attemptsMade && now - before.at > job.delay + SLACK_MS)
      // This fails when another process or a worker starts the job at the same time.
      if (waited) await job.promote().catch(() => undefined)
    }
  }
}
