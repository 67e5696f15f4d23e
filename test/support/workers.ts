import type { BackoffStrategy, MinimalJob } from 'bullmq'
import type { CaughtMail } from '../../local/mail/inbox.ts'
import { type MailCatcher, startMailCatcher } from '../../local/mail/mail-catcher.ts'
import { type Core, openCore } from '../../src/shared/composition/core.ts'
import type { PushService } from '../../src/shared/platform/adapters/push/push.port.ts'
import type { Solver } from '../../src/shared/platform/adapters/solver/solver.port.ts'
import { type Job, type QueueName, queueNames } from '../../src/shared/platform/contracts/define-job.ts'
import { inTransaction, type OutboxEntry, type Tx } from '../../src/shared/platform/db/transaction.ts'
import { backoff, backoffType, type QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import type { JobMetrics } from '../../src/workers/job-metrics.ts'
import { startWorkers } from '../../src/workers/workers.ts'
import type { TestApp } from './app.ts'
import { eventually, until } from './eventually.ts'

/** Workers on the database and queues of a test's API, with their own connections, as in another process. */
export interface TestWorkers {
  core: Core
  mailCatcher: MailCatcher
  /** Returns the mails so far, oldest first; with `to`, only those to this address. */
  mails(to?: string): CaughtMail[]
  /** Runs the jobs that `enqueue` puts into the outbox, and those that they enqueue. Returns the first ones. */
  run(enqueue: (tx: Tx) => Promise<unknown> | unknown): Promise<OutboxEntry[]>
  /**
   * Resolves when the outbox has no due job: the jobs so far, and the jobs that they enqueued, are done or given up.
   */
  settled(): Promise<void>
  /** Resolves when no job of this kind is owed: what it found is what there was, though others go on. */
  ended(job: Job): Promise<void>
  /** Resolves when every attempt of these queues that had begun is over: the next one reads what is there now. */
  attempted(...queues: QueueName[]): Promise<void>
  stop(): Promise<void>
}

interface WorkersOptions {
  /**
   * The queues to work on; by default all but `judging`, whose jobs start without a request when facts that the rules
   * read have changed.
   */
  queues?: readonly QueueName[]
  /** The push service; by default one that only logs. */
  push?: PushService
  /** The solver of plans; by default HiGHS. */
  solver?: Solver
  /** Counts the jobs. */
  metrics?: JobMetrics
}

/** The pause before the first retry, in milliseconds: jobs declare a second. It doubles, and grows with what the other side asks for. */
const FIRST_PAUSE_MS = 50

const soonerBackoff: BackoffStrategy = (attemptsMade, type, error) =>
  backoff(attemptsMade, type, error, { opts: { backoff: { type: backoffType, delay: FIRST_PAUSE_MS } } } as MinimalJob)

/** Returns the queues, with workers that try a failed job again sooner. */
function retryingSooner(queues: QueueBackend): QueueBackend {
  return {
    ...queues,
    worker: (name, processor, extra) =>
      queues.worker(name, processor, { ...extra, settings: { backoffStrategy: soonerBackoff } }),
  }
}

/** Starts workers with a real mail server. They use the API's clock and queues, and try a failed job again soon. */
export async function startTestWorkers(api: TestApp, options: WorkersOptions = {}): Promise<TestWorkers> {
  const mailCatcher = await startMailCatcher({ smtpPort: 0, webPort: 0, host: '127.0.0.1' })
  const config = { ...api.config, SMTP_URL: mailCatcher.smtpUrl }
  const { log } = api
  const core = await openCore(config, log, { clock: api.core.clock })
  const { webhooks } = api.core
  const queues = retryingSooner(core.queues)
  const parts = {
    ...core,
    queues,
    webhooks,
    ...(options.push && { push: options.push }),
    ...(options.solver && { solver: options.solver }),
    log,
  }
  const workers = await startWorkers(
    parts,
    options.queues ?? queueNames.filter((name) => name !== 'judging'),
    options.metrics,
  )
  return {
    core,
    mailCatcher,
    mails: (to) => mailCatcher.inbox.all().filter((mail) => !to || mail.to.some(({ address }) => address === to)),
    async run(enqueue) {
      const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => enqueue(tx))
      api.core.relay.publish(enqueued)
      await settled(core)
      return enqueued
    },
    settled: () => settled(core),
    ended: ({ name }) =>
      until(async () => {
        const owed = await core.database.pool.query('select from outbox where failed_at is null and job = $1', [name])
        return owed.rowCount === 0
      }),
    attempted: (...queues) =>
      until(async () => {
        const active = await Promise.all(queues.map((name) => core.queues.queue(name).getActiveCount()))
        return active.every((count) => count === 0)
      }),
    async stop() {
      await workers.stop()
      await core.close()
      await mailCatcher.close()
    },
  }
}

/**
 * Milliseconds that are added to the time when looking for due jobs: a worker may enqueue one after the clock was read
 * and before the rows are read.
 */
const AHEAD_MS = 1_000

async function settled({ database, clock }: Core): Promise<void> {
  const owed = async () => {
    const { rows } = await database.pool.query<{ job: string }>(
      'select job from outbox where failed_at is null and available_at <= $1',
      [new Date(clock().getTime() + AHEAD_MS)],
    )
    return rows.map(({ job }) => job)
  }
  await eventually(owed, ({ length }) => length === 0)
}
