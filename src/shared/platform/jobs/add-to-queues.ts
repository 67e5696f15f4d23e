import type { JobsOptions } from 'bullmq'
import type { Job, QueueName } from '../contracts/define-job.ts'
import type { Database } from '../db/database.ts'
import type { OutboxEntry } from '../db/transaction.ts'
import type { Clock } from '../kernel/clock.ts'
import { backoffType, type QueueBackend } from './queue-backend.ts'

/** The dependencies of a process's relay. */
export interface RelayParts {
  database: Database
  backend: QueueBackend
  jobs: Record<string, Job>
  clock: Clock
  onError: (error: Error) => void
}

type Parts = Pick<RelayParts, 'backend' | 'jobs' | 'clock'>

const DAY_SECONDS = 86_400

/** The fewest jobs for which one batch costs less than single additions on PostgreSQL. */
const WORTH_A_BATCH = 15

/** Adds outbox entries to their queues. A queue ignores a job whose id it already has. */
export async function addToQueues(parts: Parts, enqueued: OutboxEntry[]): Promise<void> {
  const groups = new Map<QueueName, OutboxEntry[]>()
  for (const row of enqueued) {
    const { queue } = parts.jobs[row.job]!
    groups.set(queue, [...(groups.get(queue) ?? []), row])
  }
  await Promise.all([...groups].map(([queue, rows]) => addAll(parts, queue, rows)))
}

async function addAll(parts: Parts, queue: QueueName, rows: OutboxEntry[]): Promise<void> {
  const now = parts.clock()
  // BullMQ adds the delay to `timestamp`, so a delayed job needs the store's time. Without a delay, `timestamp` has no effect.
  const timestamp = rows.some((row) => row.availableAt > now) ? parts.backend.now() : undefined
  const added = rows.map((row) => {
    const opts = { ...options(parts, row, now), ...(timestamp !== undefined && { timestamp }) }
    return { name: row.job, data: row.payload, opts }
  })
  const target = parts.backend.queue(queue)
  if (added.length >= WORTH_A_BATCH) await target.addBulk(added)
  else await Promise.all(added.map(({ name, data, opts }) => target.add(name, data, opts)))
}

/** A job to add to its queue: there is one for each job name and organization with rows in `job_mark`. */
export interface MarkedJob {
  job: string
  organizationId: number
}

/** Adds each job. The queue ignores it while an earlier job of that name and organization has not ended. */
export async function addMarked({ backend, jobs }: Parts, marked: readonly MarkedJob[]): Promise<void> {
  const add = ({ job, organizationId }: MarkedJob) => {
    const { queue, attempts, backoffMs } = jobs[job]!
    return backend.queue(queue).add(
      job,
      { organizationId },
      {
        jobId: `${job}-${organizationId}`,
        attempts,
        backoff: { type: backoffType, delay: backoffMs },
        removeOnComplete: true,
        removeOnFail: true,
      },
    )
  }
  await Promise.all(marked.map(add))
}

function options({ backend, jobs }: Parts, row: OutboxEntry, now: Date): JobsOptions {
  const { attempts, backoffMs } = jobs[row.job]!
  return {
    jobId: row.id,
    attempts,
    backoff: { type: backoffType, delay: backoffMs },
    ...(row.traceParent !== null && { telemetry: { metadata: row.traceParent } }),
    delay: Math.max(0, row.availableAt.getTime() - now.getTime()),
    removeOnComplete: backend.completed,
    removeOnFail: { age: 14 * DAY_SECONDS },
  }
}
