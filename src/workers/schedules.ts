import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ErrorCode, type JobSchedulerJson, type Queue } from 'bullmq'
import { reconcileInvoices, remindOverdue } from '../shared/billing/invoices/invoices.jobs.ts'
import { remindUnsigned } from '../shared/dispatch/close-out.jobs.ts'
import { reviewMaintenance } from '../shared/fleet/maintenance/maintenance.jobs.ts'
import type { Job, QueueName } from '../shared/platform/jobs/define-job.ts'
import type { QueueBackend } from '../shared/platform/jobs/queue-backend.ts'
import { purgeExpired } from '../shared/platform/retention/retention.jobs.ts'
import { expiringCurrenciesJob } from '../shared/qualification/currencies/currencies.jobs.ts'
import { expiringDocumentsJob } from '../shared/qualification/documents/documents.jobs.ts'
import { remindUpcoming } from '../shared/scheduling/reservations/reservations.jobs.ts'
import { expiringEndorsementsJob } from '../shared/training/training.jobs.ts'

interface Schedule {
  job: Job
  pattern: string
}

const ZONE = 'UTC'

/**
 * What runs by itself, and when: cron patterns in UTC, which know no daylight saving. A run finds what is due by the
 * instants in the database and writes down what it did, so that one too many does nothing, and one too few is made up
 * for by the next.
 */
export const schedules: readonly Schedule[] = [
  { job: remindOverdue, pattern: '*/10 * * * *' },
  { job: reconcileInvoices, pattern: '5-59/10 * * * *' },
  { job: reviewMaintenance, pattern: '*/5 * * * *' },
  { job: remindUpcoming, pattern: '2-59/5 * * * *' },
  { job: remindUnsigned, pattern: '7 * * * *' },
  { job: expiringEndorsementsJob, pattern: '17 * * * *' },
  { job: expiringCurrenciesJob, pattern: '27 * * * *' },
  { job: expiringDocumentsJob, pattern: '47 * * * *' },
  { job: purgeExpired, pattern: '37 * * * *' },
]

/** A schedule whose next run is overdue by this much has lost it, or nobody worked its queue meanwhile. */
const OVERDUE_MS = 60_000
/** One look more than processes could be in each other's way would do: each collision means that another was quicker. */
const TRIES = 5
const PAUSE_MS = 50

/**
 * Enters the schedules of these queues. Each is known by its job's name, so it exists once however many workers enter
 * it, and a store that was lost has it again. One that is there as wanted is left alone: entering replaces its next run,
 * and would take away a run that has just become due.
 */
export async function enterSchedules(queues: QueueBackend, names: readonly QueueName[]): Promise<void> {
  for (const schedule of schedules) {
    if (names.includes(schedule.job.queue)) await enter(queues.queue(schedule.job.queue), schedule)
  }
}

/**
 * How a store says that another was quicker: its run is in the way, or (PostgreSQL) the two waited for each other's rows
 * and this one was told to give way.
 */
const collisions: ReadonlySet<unknown> = new Set([ErrorCode.SchedulerJobIdCollision, '40P01'])

/**
 * Enters one. Two processes that enter the same one at the same moment can be in each other's way: that is a
 * reason to look again, not an error. Where a run of the same instant stands in the way to the end (one that is being
 * done, while this process' clock is behind), the next entering gets past it.
 */
async function enter(queue: Queue, schedule: Schedule): Promise<void> {
  const { job, pattern } = schedule
  for (let tries = 0; tries < TRIES; tries++) {
    if (isEntered(await queue.getJobScheduler(job.name), schedule)) return
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

function isEntered(found: JobSchedulerJson | undefined, { job, pattern }: Schedule): boolean {
  return (
    found !== undefined &&
    found.pattern === pattern &&
    found.tz === ZONE &&
    isDeepStrictEqual(found.template?.opts, template(job).opts) &&
    (found.next ?? 0) > Date.now() - OVERDUE_MS
  )
}
