import { allJobs } from '../shared/composition/all-jobs.ts'
import { type Config, required } from '../shared/platform/config/config.ts'
import type { Database } from '../shared/platform/db/database.ts'
import { emit } from '../shared/platform/events/emit.ts'
import { findStuck } from '../shared/platform/jobs/counts.queries.ts'
import { listGivenUp, reasonOf, retryGivenUp } from '../shared/platform/jobs/given-up-jobs.ts'
import { openQueueBackend, type QueueBackend } from '../shared/platform/jobs/queue-backend.ts'
import { operator, readSettings, say, sayTable, transact, withDatabase } from './with-database.ts'

/** `flightline jobs failed`: prints the jobs that were given up, at most `limit`. */
export async function listFailedJobs(limit: number): Promise<void> {
  await withQueues(async ({ pool }, queues) => {
    const found = await listGivenUp(pool, limit)
    if (found.length === 0) return say('No job was given up.')
    const reasons = await Promise.all(found.map((job) => reasonOf(queues, allJobs, job)))
    const cells = found.map(({ id, job, organizationId, failedAt }, index) => [
      id,
      job,
      organizationId === null ? '' : String(organizationId),
      failedAt.toISOString().slice(0, 19),
      reasons[index] ?? '',
    ])
    sayTable([['id', 'job', 'org', 'given up', 'reason'], ...cells])
  })
}

/** `flightline jobs stuck`: prints the stuck jobs by kind, with the error of the latest failure. */
export async function listStuckJobs(): Promise<void> {
  await withDatabase(readSettings(), async ({ pool }) => {
    const found = await findStuck(pool)
    if (found.length === 0) return say('No job is stuck.')
    const cells = found.map(({ job, count, dueSince, failures, reason }) => [
      job,
      String(count),
      dueSince.toISOString().slice(0, 19),
      String(failures),
      reason ?? 'no worker has begun it',
    ])
    sayTable([['job', 'stuck', 'due since', 'failures', 'last reason'], ...cells])
  })
}

/**
 * `flightline jobs retry`: makes given-up jobs due again. The exit code is 1 when an id is not the id of a given-up
 * job.
 * @throws Error when an argument does not have the format of an id
 */
export async function retryJobs(ids: readonly string[]): Promise<void> {
  const wrong = ids.filter((id) => !/^[0-9a-f-]{36}$/i.test(id))
  if (wrong.length > 0) throw new Error(`no ids of jobs: ${wrong.join(', ')}`)
  await withQueues(async (database, queues) => {
    for (const id of ids) {
      const job = await retryGivenUp(database.pool, queues, allJobs, id)
      say(job ? `${id} ${job.job}: due again` : `${id}: no job that was given up`)
      if (!job) process.exitCode = 1
      else if (job.organizationId !== null) await record(database, job.organizationId)
    }
  })
}

async function record(database: Database, organizationId: number): Promise<void> {
  const by = { organizationId, orgUserId: null, name: `operator ${operator().osUser}` }
  const subject = { kind: 'organization', id: organizationId } as const
  await transact(database, async (tx) =>
    emit(tx, by, { kind: 'operator.acted', subject, after: { command: 'jobs retry' } }),
  )
}

async function withQueues(work: (database: Database, queues: QueueBackend) => Promise<void>): Promise<void> {
  const config: Config = readSettings()
  await withDatabase(config, async (database) => {
    const queues = await openQueueBackend({
      redisUrl: config.REDIS_URL,
      databaseUrl: config.QUEUE_DATABASE_URL ?? required(config, 'DATABASE_URL'),
      poolSize: 2,
      onError: () => undefined,
    })
    try {
      await work(database, queues)
    } finally {
      await queues.close()
    }
  })
}
