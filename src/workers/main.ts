import { collectAtRest } from '../shared/composition/collect-at-rest.ts'
import { connectionBudget, openCore } from '../shared/composition/core.ts'
import { configOrExit, exitWith, logConfig, onStop, openLog } from '../shared/composition/process.ts'
import { sayDifferences } from '../shared/composition/say-differences.ts'
import { waitForSchema } from '../shared/composition/wait-for-schema.ts'
import { requireAll, required } from '../shared/platform/config/config.ts'
import { type QueueName, queueNames } from '../shared/platform/contracts/define-job.ts'
import { assertAgreesOnTime, watchClock } from '../shared/platform/db/clock-skew.ts'
import { waitForRelease } from '../shared/platform/db/hold.ts'
import { createJobMetrics } from './job-metrics.ts'
import { startWorkerServer } from './worker-server.ts'
import { startWorkers } from './workers.ts'

/**
 * The default number of database connections of a worker. A job uses one during a transaction, never during an external
 * call.
 */
const POOL_SIZE = 3

/**
 * Runs a worker process until a signal stops it: `flightline worker [queue …]`. Without names it works on all queues.
 */
export async function runWorker(asked: readonly string[]): Promise<void> {
  const config = configOrExit({ HOST: '0.0.0.0', DATABASE_POOL_SIZE: POOL_SIZE })
  const log = openLog(config)
  const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
  if (unknown.length > 0)
    exitWith(new Error(`no such queue: ${unknown.join(', ')}; there are ${queueNames.join(', ')}`))
  try {
    requireAll(config)
    logConfig(log, config)
    await waitForSchema(required(config, 'DATABASE_URL'), (line) => log.warn({}, line))
    const core = await openCore(config, log)
    await assertAgreesOnTime(core.database)
    await waitForRelease(core.database.pool, (line) => {
      log.warn({}, line)
      // A worker that waits for `flightline resume` reports that it is ready, so that the start of an all-in-one continues.
      process.send?.('ready')
    })
    const metrics = createJobMetrics(core)
    const server = await startWorkerServer({ ...core, log }, metrics)
    const names = asked.length > 0 ? (asked as QueueName[]) : queueNames
    const workers = await startWorkers({ ...core, log }, names, metrics)
    log.info(connectionBudget(config, { listens: true }), 'connections to PostgreSQL at most')
    log.info({ queues: names }, 'workers started')
    const stop = onStop(
      async () => {
        server?.stopping()
        await workers.stop()
        await server?.close()
        await core.close()
      },
      (word) => log.info({}, word),
    )
    watchClock(core.database, (error) => {
      log.fatal({ err: error }, 'the clock was set')
      stop(1)
    })
    void sayDifferences(core, log)
    collectAtRest()
    process.send?.('ready')
  } catch (error) {
    exitWith(error)
  }
}
