import { connectionBudget, openCore } from '../shared/composition/core.ts'
import { configOrExit, exitWith, onStop, openLog } from '../shared/composition/process.ts'
import { mustAgreeOnTime, watchClock } from '../shared/platform/db/clock-skew.ts'
import { type QueueName, queueNames } from '../shared/platform/jobs/define-job.ts'
import { startWorkers } from './workers.ts'

/** The pool size of a worker. A job holds a connection for a transaction, never during an external call. */
const POOL_SIZE = 3

/** A worker process: `npm run worker [-- queue …]`, all queues when none is named. */
const config = configOrExit({ HOST: '0.0.0.0', DATABASE_POOL_SIZE: POOL_SIZE })
const log = openLog(config)
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
if (unknown.length > 0) exitWith(new Error(`no such queue: ${unknown.join(', ')}; there are ${queueNames.join(', ')}`))
try {
  const core = await openCore(config, log)
  await mustAgreeOnTime(core.database)
  const workers = await startWorkers({ ...core, log }, asked.length > 0 ? (asked as QueueName[]) : queueNames)
  log.info(connectionBudget(config, { listens: true }), 'connections to PostgreSQL at most')
  log.info({ queues: asked.length > 0 ? asked : queueNames }, 'workers started')
  const stop = onStop(
    async () => {
      await workers.stop()
      await core.close()
    },
    (word) => log.info({}, word),
  )
  watchClock(core.database, (error) => {
    log.fatal({ err: error }, 'the clock was set')
    stop(1)
  })
  process.send?.('ready')
} catch (error) {
  exitWith(error)
}
