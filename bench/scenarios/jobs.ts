import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { z } from 'zod'
import { allJobs } from '../../src/shared/composition/all-jobs.ts'
import { openCore } from '../../src/shared/composition/core.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { defineJob } from '../../src/shared/platform/contracts/define-job.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { openQueueBackend, type QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { processors } from '../../src/workers/registry.ts'
import { startWorkers } from '../../src/workers/workers.ts'
import { startBackend } from '../../test/support/backends.ts'
import { type BenchSetup, hasRedis } from '../bench-setup.ts'
import type { Comparison } from '../measure.ts'

const RUN_MS = 2_000
const PRODUCERS = 10
const CONCURRENCY = 10

const nothing = defineJob({ name: 'bench.nothing', queue: 'upkeep', payload: z.object({ n: z.int() }) })

/**
 * Compares jobs that do nothing: through the service's transaction, outbox, queue, worker and acknowledgement, and
 * through BullMQ alone. Makes one comparison per queue backend; Redis only when it is installed.
 */
export async function jobScenarios(setup: BenchSetup): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const kind of hasRedis() ? (['postgres', 'redis'] as const) : (['postgres'] as const)) {
    const backend = await startBackend(kind)
    const env = { ...setup.env, ...backend.env, WORKER_CONCURRENCY: String(CONCURRENCY) }
    const ours = await ourPipeline(env)
    const bare = await bareQueue(env)
    setup.atEnd(async () => {
      await ours.close()
      await bare.close()
      await backend.stop()
    })
    comparisons.push({
      name: `a no-op job, queues in ${kind}`,
      floor: 'BullMQ alone, the same backend',
      aim: { ratio: kind === 'redis' ? 0.5 : 0.75 },
      ours: () => perSecond(ours),
      theirs: () => perSecond(bare),
    })
  }
  return comparisons
}

interface Pipeline {
  add(n: number): Promise<void>
  close(): Promise<void>
}

/** Called for each finished job; one pipeline runs at a time. */
let onDone = () => {}

/** Adds jobs for two seconds. Returns jobs per second, from the first add until the last job is done. */
async function perSecond(pipeline: Pipeline): Promise<number> {
  let [added, done] = [0, 0]
  let finish = () => {}
  onDone = () => {
    if (++done === added) finish()
  }
  const started = performance.now()
  const producer = async () => {
    while (performance.now() - started < RUN_MS) await pipeline.add(added++)
  }
  await Promise.all(Array.from({ length: PRODUCERS }, producer))
  if (done < added) {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  }
  return (added * 1000) / (performance.now() - started)
}

async function ourPipeline(env: Record<string, string>): Promise<Pipeline> {
  const config = readConfig(env, { HOST: '127.0.0.1' })
  const core = await openCore(config, pino({ level: 'error' }))
  allJobs[nothing.name] = nothing
  const workers = await startWorkers({ ...core, log: pino({ level: 'error' }) }, ['upkeep'])
  Object.assign(processors, { [nothing.name]: async () => onDone() })
  return {
    async add(n) {
      const { enqueued } = await inTransaction(core.database, core.clock, async (tx) => {
        tx.enqueue(nothing, { n })
      })
      core.relay.publish(enqueued)
    },
    async close() {
      await workers.stop()
      await core.close()
    },
  }
}

async function bareQueue(env: Record<string, string>): Promise<Pipeline> {
  const backend: QueueBackend = await openQueueBackend({
    redisUrl: env.REDIS_URL,
    databaseUrl: env.DATABASE_URL ?? '',
    onError: () => {},
  })
  const queue = backend.queue('reminders')
  backend.worker('reminders', async () => onDone(), { concurrency: CONCURRENCY })
  return {
    async add(n) {
      await queue.add('nothing', { n }, { jobId: randomUUID(), attempts: 8, removeOnComplete: backend.completed })
    },
    close: () => backend.close(),
  }
}
