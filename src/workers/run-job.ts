import { DelayedError, type Job as QueuedJob, UnrecoverableError } from 'bullmq'
import { allJobs } from '../shared/composition/all-jobs.ts'
import { DeliveryBusy } from '../shared/platform/adapters/call-result.ts'
import type { Job } from '../shared/platform/contracts/define-job.ts'
import { isStarved } from '../shared/platform/db/lost-connections.ts'
import { inTransaction } from '../shared/platform/db/transaction.ts'
import { isOutboxJobId, type JobProcessor, type JobRun, type JobTools } from '../shared/platform/jobs/job-tools.ts'
import type { OutboxRelay } from '../shared/platform/jobs/outbox.ts'
import { OfOtherRelease, Permanent } from '../shared/platform/kernel/errors.ts'
import { endWith } from '../shared/platform/tracing/tracing.ts'
import { processors } from './registry.ts'

/** The dependencies of a worker process, without the transaction of a job. */
export type WorkerParts = Omit<JobTools, 'transaction'> & { relay: OutboxRelay }

/** The delay in milliseconds before a job of another release is offered to the workers again. */
const OFFER_AGAIN_MS = 10_000

/** The delay in milliseconds before a job that got no database connection runs again. */
const STARVED_AGAIN_MS = 2_000

/**
 * Thrown for a job of another release, which this worker does not process. The job is offered to all workers again, and
 * the attempt does not count.
 */
export class LeftAlone extends DelayedError {}

/**
 * Runs one queued job. Errors are retried with back-off, except permanent failures. The job is delayed briefly, and the
 * attempt does not count, when another run is making its external call, when it is of another release, or when the pool
 * had no free connection.
 * @throws UnrecoverableError after a permanent failure, which ends the retries
 * @throws DelayedError when the job was delayed; `LeftAlone` for a job of another release
 * @throws Error of the processor, which the queue retries
 */
export async function runJob(parts: WorkerParts, queued: QueuedJob, token?: string): Promise<void> {
  const attempt = queued.attemptsMade + 1
  try {
    if (attempt > 1 && isOutboxJobId(queued.id)) await reopenOutboxEntry(parts, queued.id)
    const job = allJobs[queued.name]
    if (!job) throw new OfOtherRelease(`no such job: ${queued.name}`)
    await processJob(parts, job, {
      data: queued.data,
      traceParent: queued.opts.telemetry?.metadata,
      run: { id: queued.id ?? '', attempt, attempts: queued.opts.attempts ?? 1 },
    })
  } catch (error) {
    if (error instanceof DeliveryBusy) {
      await queued.moveToDelayed(Date.now() + error.waitMs, token)
      throw new DelayedError()
    }
    if (isStarved(error)) {
      await queued.moveToDelayed(Date.now() + STARVED_AGAIN_MS, token)
      throw new DelayedError()
    }
    if (error instanceof OfOtherRelease) {
      await queued.moveToDelayed(Date.now() + OFFER_AGAIN_MS, token)
      throw new LeftAlone(error.message)
    }
    if (error instanceof Permanent) throw new UnrecoverableError(error.message)
    throw error
  }
}

/** One run of a job, from its queue or without it. */
interface RunOfJob {
  data: unknown
  /** The trace that the job belongs to. */
  traceParent: string | undefined
  run: Pick<JobRun, 'id' | 'attempt' | 'attempts'>
}

/**
 * Calls the processor of a job once, in its own tracing span.
 * @throws OfOtherRelease when the payload does not match the schema of this release
 */
export async function processJob(parts: WorkerParts, job: Job, { data, traceParent, run }: RunOfJob): Promise<void> {
  const processor = (processors as Record<string, JobProcessor<Job>>)[job.name]!
  const payload = job.payload.safeParse(data)
  if (!payload.success) throw new OfOtherRelease(`payload of ${job.name} does not fit`)
  const tools: JobTools = {
    ...parts,
    async transaction(work) {
      const { result, enqueued } = await inTransaction(parts.database, parts.clock, work, {
        address: null,
        requestId: run.id || null,
      })
      parts.relay.publish(enqueued)
      return result
    },
  }
  const { organizationId = null } = payload.data as { organizationId?: number }
  const span = parts.tracing?.start(job.name, {
    kind: 'consumer',
    attributes: { 'flightline.queue': job.queue, 'flightline.attempt': run.attempt },
    parent: traceParent,
  })
  const work = () =>
    processor(payload.data, tools, { ...run, organizationId, lastAttempt: run.attempt >= run.attempts })
  await (span ? endWith(span, work) : work())
}

/** Marks a given-up job in the outbox as not failed when an operator retries it, so that it cannot be lost. */
async function reopenOutboxEntry({ database }: WorkerParts, id: string): Promise<void> {
  await database.pool.query('update outbox set failed_at = null where id = $1 and failed_at is not null', [id])
}
