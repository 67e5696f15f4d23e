import { z } from 'zod'

/** The names of the queues. Any number of processes can work on each. */
export const queueNames = [
  'invoicing',
  'email',
  'push',
  'meetings',
  'reminders',
  'webhooks',
  'notifications',
  'judging',
  'upkeep',
] as const

export type QueueName = (typeof queueNames)[number]

/**
 * The contract of a job. Its payload has ids and the organization, and no secrets or mail bodies; the processor
 * reloads the rest. A job can run more than once, so its processor skips finished work. Implements
 * docs/decisions/0003.
 */
export interface Job<Name extends string = string, Payload extends z.ZodType = z.ZodType> {
  name: Name
  queue: QueueName
  payload: Payload
  /** The most attempts. After the last one the job is given up and remains on the dashboard as failed. */
  attempts: number
  /** The delay before the first retry in milliseconds; it doubles each time, with jitter. */
  backoffMs: number
  /**
   * When a worker commits the transaction that enqueues the job, it runs the job itself, without the queue. When that run
   * fails, the job is retried from the queue. Only for short jobs that call no external service.
   */
  atOnce?: true
  /**
   * The schedule of the job: a cron pattern in UTC, which has no daylight saving time. A run selects due rows by instants in
   * the database and records what it did. So an extra run does nothing, and the next run does the work of a missed one.
   */
  schedule?: string
}

const nothing = z.object({})

/** A job that runs on a schedule, with an empty payload. */
export type ScheduledJob<Name extends string = string> = Job<Name, typeof nothing> & { schedule: string }

export type JobPayload<J extends Job> = z.output<J['payload']>

/**
 * The default number of attempts: about nine hours of retries, with delays that double from one second. External services have
 * outages, and mail servers greylist.
 */
const USUAL_ATTEMPTS = 16

/** Declares a job. Its dotted name never changes, because outbox entries of older releases contain it. */
export function defineJob<const Name extends string, Payload extends z.ZodType>(
  job: Omit<Job<Name, Payload>, 'attempts' | 'backoffMs'> & { attempts?: number; backoffMs?: number },
): Job<Name, Payload> {
  return { attempts: USUAL_ATTEMPTS, backoffMs: 1_000, ...job }
}

/** Declares a job that runs on a schedule. A failed run is not retried: the next run does its work. */
export function defineScheduledJob<const Name extends string>(
  job: Pick<ScheduledJob<Name>, 'name' | 'queue' | 'schedule'>,
): ScheduledJob<Name> {
  return { payload: nothing, attempts: 1, backoffMs: 1_000, ...job }
}
