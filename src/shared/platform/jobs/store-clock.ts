import { defaultRepeatStrategy, type RepeatOptions } from 'bullmq'
import type { FollowedClock } from '../kernel/followed-clock.ts'
import type { QueueStore } from './queue-store.port.ts'

/** The methods of BullMQ's backends that send a time to the store or receive one from it. */
interface Backend {
  moveToDelayed(id: string, timestamp: number, delay: number, ...rest: unknown[]): Promise<unknown>
  addJobScheduler(
    id: string,
    nextMs: number,
    data: string,
    template: object,
    schedule: object,
    run: Run,
    producerId?: string,
  ): Promise<unknown>
  updateJobSchedulerNextMillis(
    id: string,
    nextMs: number,
    data: string,
    run: Run,
    producerId?: string,
  ): Promise<unknown>
  waitForJob(timeout: number): Promise<{ score: number } | null>
  /** Sends a command to PostgreSQL. */
  run(command: string, given: unknown[]): Promise<{ rows: { next_delay?: unknown; processed_at_ms?: unknown }[] }>
  /** Sends a command to Redis, on a client or in a transaction. */
  execCommand(client: unknown, command: string, given: unknown[]): unknown
}

/** The options of the next run of a schedule. `repeat` holds the schedule. */
interface Run {
  repeat: RepeatOptions
}

type Clock = Pick<FollowedClock, 'now'>
type Factory = (...given: unknown[]) => Backend

/**
 * The indexes of a command's arguments that hold the worker's own time. The keys of a Redis command come first and are
 * counted.
 */
const places: Record<QueueStore['kind'], Record<string, readonly number[]>> = {
  postgres: {
    move_to_active: [3],
    move_to_completed: [4],
    move_to_completed_fetch: [4, 9],
    move_to_failed: [5],
    move_to_failed_fetch: [5, 10],
    move_active_to_wait: [3],
    extend_lock: [4],
    extend_locks: [4],
    add_job_scheduler: [7],
    update_job_scheduler: [5],
  },
  redis: {
    moveToActive: [12],
    moveToFinished: [15],
    retryJob: [12],
    moveStalledJobsToWait: [11],
    addJobScheduler: [17],
    updateJobScheduler: [16],
  },
}

/**
 * The commands that start a job and return its start time. From this time and its own clock, the worker computes when
 * to renew the lock and how long the job ran.
 */
const takes: ReadonlySet<string> = new Set([
  'move_to_active',
  'move_to_completed_fetch',
  'move_to_failed_fetch',
  'moveToActive',
  'moveToFinished',
])

/**
 * Returns a factory of BullMQ's backends that use the clock of the queues' store instead of the worker's clock. With a
 * clock that is ahead, a worker would start delayed jobs early, and its locks and retries would end too late. With a
 * clock that is behind, its running jobs would count as stalled. Implements docs/decisions/0038.
 */
export function byStoresClock(kind: QueueStore['kind'], factory: never, clock: Clock): never {
  const create: Factory = (...given) => {
    const backend = (factory as Factory)(...given)
    const moveToDelayed = backend.moveToDelayed.bind(backend)
    backend.moveToDelayed = async (id, _workersTime, delay, ...rest) => moveToDelayed(id, clock.now(), delay, ...rest)
    schedule(backend, clock)
    if (kind === 'postgres') inPostgres(backend, clock)
    else inRedis(backend, clock)
    return backend
  }
  return create as never
}

/**
 * Makes the instant of a schedule's next run depend on the store's clock. The commands compute the delay of the run
 * from this instant; the delay in the run's own options has no effect.
 */
function schedule(backend: Backend, clock: Clock): void {
  const add = backend.addJobScheduler.bind(backend)
  backend.addJobScheduler = (id, _workersNext, data, template, given, run, producerId) =>
    add(id, nextRunMs(run, producerId, clock), data, template, given, run, producerId)
  const update = backend.updateJobSchedulerNextMillis.bind(backend)
  backend.updateJobSchedulerNextMillis = (id, _workersNext, data, run, producerId) =>
    update(id, nextRunMs(run, producerId, clock), data, run, producerId)
}

/**
 * Returns the instant of the next run, in milliseconds since 1970: after now, and after the run that schedules it. The
 * id of that run (`producerId`) ends with its own instant.
 */
function nextRunMs({ repeat }: Run, producerId: string | undefined, clock: Clock): number {
  const producedMs = Number(/:(\d+)$/.exec(producerId ?? '')?.[1] ?? 0)
  const next: unknown = defaultRepeatStrategy(Math.max(clock.now(), producedMs), repeat)
  if (typeof next !== 'number') throw new Error('BullMQ gives no time of the next run of a schedule')
  return next
}

function inPostgres(backend: Backend, clock: Clock): void {
  const run = backend.run.bind(backend)
  backend.run = async (command, given) => {
    const answer = await run(command, withStoresTime('postgres', command, given, clock))
    for (const row of answer.rows) {
      if (row.next_delay) row.next_delay = inWorkersTime(row.next_delay, clock)
      if (row.processed_at_ms && takes.has(command)) row.processed_at_ms = inWorkersTime(row.processed_at_ms, clock)
    }
    return answer
  }
}

function inRedis(backend: Backend, clock: Clock): void {
  const exec = backend.execCommand.bind(backend)
  backend.execCommand = (client, command, given) => {
    const answer = exec(client, command, withStoresTime('redis', command, given, clock))
    return takes.has(command) ? withWorkersTime(answer, clock) : answer
  }
  const waitForJob = backend.waitForJob.bind(backend)
  backend.waitForJob = async (timeout) => {
    const found = await waitForJob(timeout)
    return found && found.score > 0 ? { ...found, score: inWorkersTime(found.score, clock) } : found
  }
}

/**
 * Converts the times of a response of Redis to the worker's clock. The response is a list: the next job as names and
 * values, its id, the time of a rate limit, and the instant at which the next delayed job is due.
 */
async function withWorkersTime(answer: unknown, clock: Clock): Promise<unknown> {
  const found = await answer
  if (!Array.isArray(found)) return found
  if (Number(found[3]) > 0) found[3] = inWorkersTime(found[3], clock)
  const job: unknown = found[0]
  const value = Array.isArray(job) ? job.indexOf('processedOn') + 1 : 0
  if (value > 0) (job as unknown[])[value] = String(inWorkersTime((job as unknown[])[value], clock))
  return found
}

/**
 * Returns the arguments of a command with the store's time instead of the worker's.
 * @throws Error when such an argument is not a number, because a new release of BullMQ may have moved it
 */
function withStoresTime(kind: QueueStore['kind'], command: string, given: unknown[], clock: Clock): unknown[] {
  const changed = [...given]
  for (const place of places[kind][command] ?? []) {
    if (typeof given[place] !== 'number') throw new Error(`BullMQ gives ${command} no time at ${place}`)
    changed[place] = clock.now()
  }
  return changed
}

/**
 * Converts an instant of the store's clock, in milliseconds since 1970, to the worker's clock. The worker waits by its
 * own clock.
 */
function inWorkersTime(storesTime: unknown, clock: Clock): number {
  return Number(storesTime) - clock.now() + Date.now()
}
