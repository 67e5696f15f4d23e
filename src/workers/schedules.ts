import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ErrorCode, type JobSchedulerJson, type Queue } from 'bullmq'
import { allJobs } from '../shared/composition/all-jobs.ts'
import type { Job, QueueName } from '../shared/platform/contracts/define-job.ts'
import type { QueueBackend } from '../shared/platform/jobs/queue-backend.ts'

interface Schedule {
  job: Job
  pattern: string
}

const MINUTE_MS = 60_000

const ZONE = 'UTC'

/** The jobs whose contracts have a schedule, with their cron patterns in UTC. */
export const schedules: readonly Schedule[] = Object.values(allJobs).flatMap((job) =>
  job.schedule === undefined ? [] : [{ job, pattern: job.schedule }],
)

/**
 * The tolerance for the time of a schedule's next run, in milliseconds. When the run is overdue by more, it was lost,
 * or no worker served its queue. When it is further in the future than its pattern's longest wait plus this tolerance,
 * a worker with a fast clock registered it. In both cases the schedule is registered again.
 */
const SLACK_MS = MINUTE_MS
/** The most attempts to register one schedule. An attempt fails when another process registered the schedule first. */
const TRIES = 5
const PAUSE_MS = 50

/**
 * Registers the schedules of these queues, also again after the queue's store lost its data. Each is registered under
 * its job's name, so that it exists once for any number of workers. An unchanged schedule is left alone: registering
 * replaces its next run and could remove one that has just become due.
 */
export async function enterSchedules(queues: QueueBackend, names: readonly QueueName[]): Promise<void> {
  const now = queues.now()
  for (const schedule of schedules) {
    if (names.includes(schedule.job.queue)) await enter(queues.queue(schedule.job.queue), schedule, now)
  }
}

/**
 * The error codes of a collision with another process that registered the schedule first. Either the schedule's next
 * run exists already, or PostgreSQL ended this transaction because of a deadlock (40P01).
 */
const collisions: ReadonlySet<unknown> = new Set([ErrorCode.SchedulerJobIdCollision, '40P01'])

/**
 * Registers one schedule. After a collision with another process, checks again whether it is registered. When a run of
 * the same instant blocks every attempt (it is active, and this process's clock is behind), a later call registers the
 * schedule.
 */
async function enter(queue: Queue, schedule: Schedule, now: number): Promise<void> {
  const { job, pattern } = schedule
  for (let tries = 0; tries < TRIES; tries++) {
    if (isEntered(await queue.getJobScheduler(job.name), schedule, now)) return
    try {
      await queue.upsertJobScheduler(job.name, { pattern, tz: ZONE }, template(job))
      return
    } catch (error) {
      if (!collisions.has((error as { code?: unknown }).code)) throw error
      await pause(PAUSE_MS * Math.random())
    }
  }
}

function template(job: Job) {
  return {
    name: job.name,
    data: {},
    opts: { attempts: job.attempts, removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } },
  }
}

function isEntered(found: JobSchedulerJson | undefined, { job, pattern }: Schedule, now: number): boolean {
  const waitMs = (found?.next ?? 0) - now
  return (
    found !== undefined &&
    found.pattern === pattern &&
    found.tz === ZONE &&
    isDeepStrictEqual(found.template?.opts, template(job).opts) &&
    waitMs > -SLACK_MS &&
    waitMs < longestWaitMs(pattern) + SLACK_MS
  )
}

/**
 * Returns the longest time between two runs of a pattern, in milliseconds. A pattern runs every minute, every n
 * minutes, or once per hour.
 */
function longestWaitMs(pattern: string): number {
  const [minutes = ''] = pattern.split(' ')
  if (minutes === '*') return MINUTE_MS
  const every = Number(/\/(\d+)$/.exec(minutes)?.[1] ?? 60)
  return every * MINUTE_MS
}
