import { setImmediate as turn } from 'node:timers/promises'
import type pg from 'pg'
import { pendingMigrations } from '../platform/db/run-migrations.ts'
import type { Log } from '../platform/jobs/job-tools.ts'

/** The state of each dependency. */
export interface HealthParts {
  database: 'ok' | 'unavailable'
  queue: 'ok' | 'unavailable'
  /** `outdated`: migrations of this release are missing; `unknown`: the check failed. */
  schema: 'ok' | 'outdated' | 'unknown'
}

type Part = keyof HealthParts

/** The dependencies that an API process needs. While the queue is unavailable, jobs wait in the outbox. */
export const neededByApi: readonly Part[] = ['database', 'schema']
/** The dependencies that a worker process needs. */
export const neededByWorker: readonly Part[] = ['database', 'schema', 'queue']

/** The health check of a process. Calls within one second share one check of each dependency. */
export interface Health {
  parts(): Promise<HealthParts>
  /** Returns whether these dependencies work. Also checks the others, for the log, but does not wait for them. */
  works(needed: readonly Part[]): Promise<boolean>
}

/** The help text of the metric `flightline_available`. */
export const availableHelp = '1 when the part (database, schema, queue) works, otherwise 0'

/** A check that takes longer than this counts as failed. */
const CHECK_TIMEOUT_MS = 2_000
/** How long the result of a check is reused. */
const HOLDS_MS = 1_000

interface Checked {
  /** The connection of the checks, which requests do not use. */
  spare: pg.Pool
  queues: { ping(): Promise<void> }
  log: Log
}

/** Creates the health check of a process. It logs each change of state of a dependency. */
export function createHealth({ spare, queues, log }: Checked): Health {
  let isCurrent = false
  const part = <N extends Part>(name: N, ask: () => Promise<HealthParts[N]>, otherwise: HealthParts[N]) =>
    shared(() => answered(ask(), otherwise), {
      changed: (state, isFirst) => {
        if (state !== 'ok') log.warn({ [name]: state }, 'not healthy')
        else if (!isFirst) log.info({ [name]: state }, 'healthy again')
      },
    })
  const checks: { [N in Part]: () => Promise<HealthParts[N]> } = {
    database: part('database', () => ok(spare.query('select 1')), 'unavailable'),
    queue: part('queue', () => ok(queues.ping()), 'unavailable'),
    schema: part(
      'schema',
      async () => {
        // Migrations are never reverted, so a current schema stays current.
        isCurrent ||= (await pendingMigrations(spare)).length === 0
        return isCurrent ? 'ok' : 'outdated'
      },
      'unknown',
    ),
  }
  const parts = async (): Promise<HealthParts> => {
    const [database, queue, schema] = await Promise.all([checks.database(), checks.queue(), checks.schema()])
    return { database, queue, schema }
  }
  return {
    parts,
    async works(needed) {
      void parts()
      const states = await Promise.all(needed.map((name): Promise<string> => checks[name]()))
      return states.every((state) => state === 'ok')
    },
  }
}

/**
 * Returns a check whose concurrent calls share one run, and whose result is reused for `HOLDS_MS`. `changed` is called
 * when a result differs from the one before.
 */
function shared<T>(check: () => Promise<T>, { changed }: { changed(state: T, isFirst: boolean): void }) {
  let running: Promise<T> | undefined
  let last: { state: T; at: number } | undefined
  const run = async () => {
    const state = await check()
    if (state !== last?.state) changed(state, last === undefined)
    last = { state, at: performance.now() }
    running = undefined
    return state
  }
  return async (): Promise<T> => {
    if (last && performance.now() - last.at < HOLDS_MS) return last.state
    running ??= run()
    return running
  }
}

async function ok(check: Promise<unknown>): Promise<'ok'> {
  await check
  return 'ok'
}

/** Returns the result of a check, or `otherwise` when it fails or takes too long. */
async function answered<T extends string>(check: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS)
  })
  const tooLate = async () => {
    await late
    // In a busy process, an answer that came in time is read only in a later turn of the event loop.
    for (let turns = 0; turns < 2; turns++) await turn()
    return otherwise
  }
  try {
    return await Promise.race([check, tooLate()])
  } catch {
    return otherwise
  } finally {
    clearTimeout(timer)
  }
}
