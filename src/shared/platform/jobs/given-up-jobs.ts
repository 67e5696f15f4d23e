import type pg from 'pg'
import type { Job } from '../contracts/define-job.ts'
import type { QueueBackend } from './queue-backend.ts'

/** A job that was given up, from the outbox. */
export interface GivenUpJob {
  id: string
  job: string
  organizationId: number | null
  failedAt: Date
  /** The error of its last failure; null when none was recorded. */
  lastFailure: string | null
}

/** Returns the jobs that were given up, latest first. */
export async function listGivenUp(pool: pg.Pool, limit: number): Promise<GivenUpJob[]> {
  const { rows } = await pool.query<GivenUpJob>(
    `select id, job, organization_id as "organizationId", failed_at as "failedAt", last_failure as "lastFailure"
       from outbox where failed_at is not null order by failed_at desc limit $1`,
    [limit],
  )
  return rows
}

/**
 * Returns the first line of the error of a given-up job's last attempt, from its queue or otherwise from its row; null
 * when neither has one.
 */
export async function reasonOf(
  queues: QueueBackend,
  jobs: Record<string, Job>,
  given: GivenUpJob,
): Promise<string | null> {
  const queue = jobs[given.job]?.queue
  const queued = queue && (await queues.queue(queue).getJob(given.id))
  return queued?.failedReason?.split('\n')[0] ?? given.lastFailure
}

/**
 * Makes a given-up job due again, so that the workers publish it again. Returns the job; null when none with this id
 * was given up.
 */
export async function retryGivenUp(
  pool: pg.Pool,
  queues: QueueBackend,
  jobs: Record<string, Job>,
  id: string,
): Promise<GivenUpJob | null> {
  const { rows } = await pool.query<GivenUpJob>(
    `update outbox set failed_at = null, seen_at = null, available_at = now(), failures = 0
      where id = $1 and failed_at is not null
      returning id, job, organization_id as "organizationId", available_at as "failedAt",
        last_failure as "lastFailure"`,
    [id],
  )
  const [found] = rows
  const queue = found && jobs[found.job]?.queue
  // The queue ignores a job with an id that it already has, so the failed job is removed.
  if (queue) await queues.queue(queue).remove(id)
  return found ?? null
}
