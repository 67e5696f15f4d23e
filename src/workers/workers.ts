import type { Job, Worker } from 'bullmq'
import { type QueueName, queueNames } from '../shared/platform/contracts/define-job.ts'
import { systemClock } from '../shared/platform/kernel/clock.ts'
import { reportErrorOnce } from '../shared/platform/kernel/report-once.ts'
import type { JobMetrics } from './job-metrics.ts'
import { startOutboxAcknowledger } from './outbox-acknowledger.ts'
import { relayInline } from './run-inline.ts'
import { LeftAlone, runJob, type WorkerParts } from './run-job.ts'
import { enterSchedules } from './schedules.ts'

/** The running workers of one process. */
export interface RunningWorkers {
  /** Finishes the current jobs, then stops. */
  stop(): Promise<void>
}

const SWEEP_EVERY_MS = 1_000
const TEND_EVERY_MS = 1_000
/**
 * The interval in milliseconds at which the schedules are registered again, in case the queue's store lost its data.
 */
const ENTER_EVERY_MS = 60_000

/**
 * Starts workers for the queues (all by default), the sweep of the outbox, the maintenance of the queues, and the
 * schedules. Resolves when the workers are ready and the schedules are registered.
 */
export async function startWorkers(
  parts: WorkerParts,
  names: readonly QueueName[] = queueNames,
  metrics?: JobMetrics,
): Promise<RunningWorkers> {
  const settling = startOutboxAcknowledger(parts)
  const relay = relayInline(parts, names, settling, metrics)
  const inWorker = { ...parts, relay }
  const leaveAlone = notifiedOnce(parts, metrics)
  const workers: Worker[] = names.map((name) => {
    const worker = parts.queues.worker(name, (job, token) => runJob(inWorker, job, token).catch(leaveAlone(job)), {
      concurrency: concurrencyOf(name, parts),
    })
    metrics?.watch(worker)
    worker.on('completed', (job) => settling.done(job.id))
    worker.on('failed', (job, error) => {
      const final = job !== undefined && (job.finishedOn !== undefined || job.attemptsMade >= (job.opts.attempts ?? 1))
      parts.log.warn(
        { job: job?.name, jobId: job?.id, attempt: job?.attemptsMade, final, reason: error.message },
        'job failed',
      )
      metrics?.failed(job?.name, final ? 'given_up' : 'retried')
      if (final) settling.failed(job.id, error.message)
      else settling.retried(job?.id, error.message)
    })
    return worker
  })
  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  const repeat = repeaterOf(parts)
  const sweep = repeat(
    SWEEP_EVERY_MS,
    async () => {
      await parts.relay.sweep()
    },
    'sweeping the outbox failed',
  )
  const tending = repeat(TEND_EVERY_MS, () => parts.queues.tend(names), 'looking after the queues failed')
  await enterSchedules(parts.queues, names)
  const entering = repeat(ENTER_EVERY_MS, () => enterSchedules(parts.queues, names), 'entering the schedules failed')
  return {
    async stop() {
      await Promise.all([sweep.stop(), entering.stop()])
      await Promise.all(workers.map((worker) => worker.close()))
      await tending.stop()
      await relay.drain()
      await settling.stop()
    },
  }
}

/**
 * The least concurrency of webhooks: their jobs mostly wait for other servers, and a few slow receivers must not delay
 * the rest.
 */
const WEBHOOKS_AT_ONCE = 64

/**
 * Returns a function that handles the error of a job's run. It counts a job that is left to workers of another release,
 * logs each name of such jobs once, and throws the error again.
 */
function notifiedOnce({ log }: WorkerParts, metrics?: JobMetrics) {
  const told = new Set<string>()
  return (job: Job) =>
    (error: unknown): never => {
      if (error instanceof LeftAlone) {
        metrics?.failed(job.name, 'left_alone')
        if (!told.has(job.name))
          log.warn({ job: job.name, reason: error.message }, 'a job of another release is left alone')
        told.add(job.name)
      }
      throw error
    }
}

function concurrencyOf(name: QueueName, { config }: WorkerParts): number {
  return name === 'webhooks' ? Math.max(config.WORKER_CONCURRENCY, WEBHOOKS_AT_ONCE) : config.WORKER_CONCURRENCY
}

/**
 * Returns a function that starts work and starts it again after each interval. The log has an equal failure once in ten seconds,
 * because a store that is away makes every run fail.
 */
function repeaterOf({ log }: WorkerParts) {
  return (everyMs: number, work: () => Promise<void>, failed: string) => {
    const onError = reportErrorOnce((error) => log.error({ err: error }, failed), systemClock)
    let stopped = false
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> = Promise.resolve()
    const next = () => {
      if (stopped) return
      timer = setTimeout(() => {
        running = work().catch(onError).finally(next)
      }, everyMs)
    }
    next()
    return {
      async stop() {
        stopped = true
        clearTimeout(timer)
        await running
      },
    }
  }
}
