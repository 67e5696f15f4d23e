import { pendingMigrations } from '../platform/db/run-migrations.ts'
import type { Log } from '../platform/jobs/job-tools.ts'
import type { Core } from './core.ts'

/** The state of each dependency. */
export interface Health {
  database: 'ok' | 'unavailable'
  queue: 'ok' | 'unavailable'
  /** `outdated`: migrations of this release are missing; `unknown`: the check failed. */
  schema: 'ok' | 'outdated' | 'unknown'
}

/** A check that takes longer than this counts as failed. */
const CHECK_TIMEOUT_MS = 2_000

/** Returns whether a process can work in this state. */
export function isHealthy(health: Health): boolean {
  return Object.values(health).every((part) => part === 'ok')
}

/** Creates the health check of a process. It logs a change between healthy and not healthy. */
export function createHealthCheck({
  database,
  queues,
  log,
}: Pick<Core, 'database' | 'queues'> & { log: Log }): () => Promise<Health> {
  let isCurrent = false
  let last = ''
  const schema = async (): Promise<Health['schema']> => {
    // Migrations go forward only, so an applied one stays applied.
    isCurrent ||= (await pendingMigrations(database.pool)).length === 0
    return isCurrent ? 'ok' : 'outdated'
  }
  return async () => {
    const [databaseState, queue, schemaState] = await Promise.all([
      answered(ok(database.pool.query('select 1')), 'unavailable'),
      answered(ok(queues.ping()), 'unavailable'),
      answered(schema(), 'unknown'),
    ])
    const health: Health = { database: databaseState, queue, schema: schemaState }
    const now = JSON.stringify(health)
    if (now !== last && !isHealthy(health)) log.warn({ health }, 'not healthy')
    else if (now !== last && last !== '') log.info({ health }, 'healthy again')
    last = now
    return health
  }
}

async function ok(check: Promise<unknown>): Promise<'ok'> {
  await check
  return 'ok'
}

/** Returns the result of a check, or `otherwise` when it fails or takes too long. */
async function answered<T extends string, F extends string>(check: Promise<T>, otherwise: F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<F>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([check, late])
  } catch {
    return otherwise
  } finally {
    clearTimeout(timer)
  }
}
