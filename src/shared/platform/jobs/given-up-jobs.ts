import type pg from 'pg'
import type { Job } from './define-job.ts'
import type { QueueBackend } from './queue-backend.ts'

/** A job that was given up, as the outbox keeps it. */
export interface GivenUpJob {
  id: string
  job: string
  organizationId: number | null
  failedAt: Date
}

/** Returns the jobs that were given up, latest first. */
export async function listGivenUp(pool: pg.Pool, limit: number): Promise<GivenUpJob[]> {
  const { rows } = await pool.query<GivenUpJob>(
    `select id, job, organization_id as "organizationId", failed_at as "failedAt"
       from outbox where failed_at is not null order by failed_at desc limit $1`,
    [limit],
  )
  return rows
}

/** Why a given-up job failed the last time, as its queue says; null when the queue does not have it any more. */
export async function reasonOf(
  queues: QueueBackend,
  jobs: Record<string, Job>,
  given: GivenUpJob,
): Promise<string | null> {
  const queue = jobs[given.job]?.queue
  const queued = queue && (await queues.queue(queue).getJob(given.id))
  return queued ? (queued.failedReason?.split('\n')[0] ?? null) : null
}

/**
 * Makes a given-up job due again: its queue tries it once more, or the workers hand it over anew when the queue does not
 * have it. Returns the job, or null when none with this id was given up.
 */
export async function retryGivenUp(
  pool: pg.Pool,
  queues: QueueBackend,
  jobs: Record<string, Job>,
  id: string,
): Promise<GivenUpJob | null> {
  const { rows } = await pool.query<GivenUpJob>(
    `update outbox set failed_at = null, handed_over_at = null, available_at = now()
      where id = $1 and failed_at is not null
      returning id, job, organization_id as "organizationId", available_at as "failedAt"`,
    [id],
  )
  const [found] = rows
  const queue = found && jobs[found.job]?.queue
  // Left in the queue, a finished job of this id would take the place of the new one.
  if (queue) await queues.queue(queue).remove(id)
  return found ?? null
}
