import { allJobs } from '../shared/composition/all-jobs.ts'
import type { Job, QueueName } from '../shared/platform/contracts/define-job.ts'
import type { OutboxEntry } from '../shared/platform/db/transaction.ts'
import type { OutboxRelay } from '../shared/platform/jobs/outbox.ts'
import type { JobMetrics } from './job-metrics.ts'
import type { OutboxAcknowledger } from './outbox-acknowledger.ts'
import { processJob, type WorkerParts } from './run-job.ts'

/**
 * The most jobs that wait in this process. When more would wait, the new ones are published, so that other processes
 * share the work.
 */
const MOST_WAITING = 32
/** The most jobs that run without their queue at the same time, in addition to jobs from the queues. */
const LANES = 2
/** The milliseconds for which the process caches whether a queue is paused. */
const PAUSED_FOR_MS = 250

type EntryOfJob = OutboxEntry & { definition: Job }

/**
 * Returns the relay of a worker process. It runs jobs defined as `atOnce` itself, without the queue, when a job of this
 * process enqueues them: adding such a job to the queue, claiming it and completing it costs more than running it. A
 * job that fails is published and retried from its queue. When the process crashes, the sweep publishes its jobs. Jobs
 * are also published when their queue is paused or not served by this process, and when too many would wait.
 * Implements docs/decisions/0035.
 */
export function relayInline(
  parts: WorkerParts,
  names: readonly QueueName[],
  settling: OutboxAcknowledger,
  metrics?: JobMetrics,
): OutboxRelay {
  const { relay, queues, clock } = parts
  const paused = new Map<QueueName, { until: number; answer: Promise<boolean> }>()
  const waiting: EntryOfJob[] = []
  const lanes = new Set<Promise<void>>()

  const outer: OutboxRelay = {
    ...relay,
    publish(enqueued) {
      const now = clock()
      const here = enqueued.flatMap((entry) => {
        const definition = allJobs[entry.job]
        const runs = definition?.atOnce && names.includes(definition.queue) && entry.availableAt <= now
        return runs ? [{ ...entry, definition }] : []
      })
      if (here.length === 0 || waiting.length + here.length > MOST_WAITING) return relay.publish(enqueued)
      const ids = new Set(here.map(({ id }) => id))
      relay.publish(enqueued.filter(({ id }) => !ids.has(id)))
      waiting.push(...here)
      while (waiting.length > 0 && lanes.size < LANES) start()
    },
    async drain() {
      while (lanes.size > 0) await Promise.all(lanes)
      await relay.drain()
    },
  }
  const inside: WorkerParts = { ...parts, relay: outer }

  function start(): void {
    const lane = runAll().finally(() => lanes.delete(lane))
    lanes.add(lane)
  }

  async function runAll(): Promise<void> {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) await runOrPublish(entry)
  }

  async function runOrPublish(entry: EntryOfJob): Promise<void> {
    const began = performance.now()
    try {
      if (await isPaused(entry.definition.queue)) return relay.publish([entry])
      await processJob(inside, entry.definition, {
        data: entry.payload,
        traceParent: entry.traceParent ?? undefined,
        run: { id: entry.id, attempt: 1, attempts: entry.definition.attempts },
      })
    } catch (error) {
      parts.log.warn({ job: entry.job, jobId: entry.id, reason: (error as Error).message }, 'job failed at once')
      return relay.publish([entry])
    }
    settling.done(entry.id)
    metrics?.ranInline(entry.job, (performance.now() - began) / 1000)
  }

  function isPaused(name: QueueName): Promise<boolean> {
    const known = paused.get(name)
    if (known && known.until > performance.now()) return known.answer
    const answer = queues.queue(name).isPaused()
    paused.set(name, { until: performance.now() + PAUSED_FOR_MS, answer })
    return answer
  }

  return outer
}
