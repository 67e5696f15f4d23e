import type { Job as QueuedJob, QueueEvents } from 'bullmq'
import type { Database } from '../db/database.ts'
import type { OwedJob } from '../db/transaction.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Job, QueueName } from './define-job.ts'
import type { QueueBackend } from './queue-backend.ts'

/**
 * From the outbox to the queue. A row is written in the use case's transaction and lives until a worker has done
 * the job. The process that committed hands its rows over at once; `sweep`, run by the workers, finds what a crash
 * left behind and what the queue's store lost. The job id is the row's id, so handing over twice adds once.
 */
export interface OutboxRelay {
  handOver(owed: OwedJob[]): Promise<void>
  /** Hands over without making the caller wait; `settle` waits for what is under way. */
  handOverSoon(owed: OwedJob[]): void
  /** Waits until these jobs are done or have failed for good, at most this long. Answers whether all have ended. */
  handOverAndWait(owed: OwedJob[], timeoutMs: number): Promise<boolean>
  sweep(): Promise<number>
  settle(): Promise<void>
}

export interface RelayParts {
  database: Database
  backend: QueueBackend
  jobs: Record<string, Job>
  clock: Clock
  onError: (error: Error) => void
}

/** A row that nobody handed over is taken after this long; the process that wrote it has had its chance. */
const LEFT_BEHIND_MS = 2_000
/** A row handed over this long ago is looked up in the queue. */
const LOOK_AGAIN_MS = 60_000
const BATCH = 200

export function createOutboxRelay(parts: RelayParts): OutboxRelay {
  const underWay = new Set<Promise<void>>()
  const waiting = new Map<string, () => void>()
  const listening = new Map<QueueName, QueueEvents>()

  async function handOver(owed: OwedJob[]): Promise<void> {
    for (const [queue, rows] of byQueue(parts.jobs, owed)) {
      await parts.backend.queue(queue).addBulk(rows.map((row) => toQueued(parts, row)))
    }
    await parts.database.pool.query('update outbox set handed_over_at = now() where id = any($1)', [
      owed.map((row) => row.id),
    ])
  }

  async function listen(queue: QueueName): Promise<void> {
    if (!listening.has(queue)) {
      const events = parts.backend.events(queue)
      listening.set(queue, events)
      events.on('completed', ({ jobId }) => waiting.get(jobId)?.())
      events.on('failed', ({ jobId }) => waiting.get(jobId)?.())
    }
    await listening.get(queue)?.waitUntilReady()
  }

  return {
    handOver,
    handOverSoon(owed) {
      if (owed.length === 0) return
      const promise: Promise<void> = handOver(owed)
        .catch(parts.onError)
        .finally(() => underWay.delete(promise))
      underWay.add(promise)
    },
    async handOverAndWait(owed, timeoutMs) {
      if (owed.length === 0) return true
      const ended = Promise.all(owed.map((row) => new Promise<void>((resolve) => waiting.set(row.id, resolve))))
      let timer: NodeJS.Timeout | undefined
      const timeUp = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), timeoutMs)
      })
      const handed = Promise.all(byQueue(parts.jobs, owed).map(([queue]) => listen(queue)))
        .then(() => handOver(owed))
        .then(() => ended)
        .then(() => true as const)
        .catch((error: Error) => {
          parts.onError(error)
          return timeUp
        })
      const all = await Promise.race([handed, timeUp])
      clearTimeout(timer)
      for (const row of owed) waiting.delete(row.id)
      return all
    },
    sweep: () => sweep(parts),
    async settle() {
      await Promise.all(underWay)
    },
  }
}

async function sweep(parts: RelayParts): Promise<number> {
  const { database, backend, jobs } = parts
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<OwedJob & { handedOver: boolean }>(
      `select id, job, payload, available_at as "availableAt", handed_over_at is not null as "handedOver"
         from outbox
        where failed_at is null
          and ((handed_over_at is null and created_at < now() - make_interval(secs => $1))
            or (handed_over_at < now() - make_interval(secs => $2) and available_at < now() - make_interval(secs => $2)))
        order by handed_over_at nulls first, available_at
        limit $3
        for update skip locked`,
      [LEFT_BEHIND_MS / 1000, LOOK_AGAIN_MS / 1000, BATCH],
    )
    const known = rows.filter((row) => jobs[row.job])
    const done: string[] = []
    const failed: string[] = []
    const add: OwedJob[] = []
    for (const row of known) {
      const state = row.handedOver ? await backend.queue(jobs[row.job]!.queue).getJobState(row.id) : 'unknown'
      if (state === 'completed') done.push(row.id)
      else if (state === 'failed') failed.push(row.id)
      else if (state === 'unknown') add.push(row)
    }
    for (const [queue, owed] of byQueue(jobs, add)) {
      await backend.queue(queue).addBulk(owed.map((row) => toQueued(parts, row)))
    }
    await client.query('delete from outbox where id = any($1)', [done])
    await client.query('update outbox set failed_at = now() where id = any($1)', [failed])
    await client.query('update outbox set handed_over_at = now() where id = any($1) and failed_at is null', [
      known.map((row) => row.id),
    ])
    await client.query('commit')
    return rows.length
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function byQueue(jobs: Record<string, Job>, owed: OwedJob[]): [QueueName, OwedJob[]][] {
  const groups = new Map<QueueName, OwedJob[]>()
  for (const row of owed) {
    const queue = jobs[row.job]!.queue
    groups.set(queue, [...(groups.get(queue) ?? []), row])
  }
  return [...groups]
}

function toQueued({ jobs, clock }: RelayParts, row: OwedJob): { name: string; data: unknown; opts: QueuedJob['opts'] } {
  const job = jobs[row.job]!
  return {
    name: row.job,
    data: row.payload,
    opts: {
      jobId: row.id,
      attempts: job.attempts,
      backoff: { type: 'exponential', delay: job.backoffMs, jitter: 0.5 },
      delay: Math.max(0, row.availableAt.getTime() - clock().getTime()),
      removeOnComplete: { count: 1_000, age: 86_400 },
      removeOnFail: { age: 14 * 86_400 },
    },
  }
}
