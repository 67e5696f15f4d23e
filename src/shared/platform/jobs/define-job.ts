import type { z } from 'zod'

/** The queues. Any number of processes can work on each. */
export const queueNames = [
  'invoicing',
  'email',
  'push',
  'meetings',
  'reminders',
  'webhooks',
  'notifications',
  'upkeep',
] as const

export type QueueName = (typeof queueNames)[number]

/**
 * The contract of a job. Its payload has ids and the organization, never secrets or mail bodies; the processor reloads
 * the rest. A job can run more than once: its processor skips finished work.
 */
export interface Job<Name extends string = string, Payload extends z.ZodType = z.ZodType> {
  name: Name
  queue: QueueName
  payload: Payload
  /** The most attempts. After the last one the job stays on the dashboard as failed. */
  attempts: number
  /** The first pause before a retry; it doubles each time, with jitter. */
  backoffMs: number
}

export type JobPayload<J extends Job> = z.output<J['payload']>

/**
 * About nine hours of retries with delays that double from a second: servers have outages, and mail servers greylist.
 */
const USUAL_ATTEMPTS = 16

/** Declares a job. The dotted name never changes, since outbox rows of older releases have it. */
export function defineJob<const Name extends string, Payload extends z.ZodType>(
  job: Omit<Job<Name, Payload>, 'attempts' | 'backoffMs'> & { attempts?: number; backoffMs?: number },
): Job<Name, Payload> {
  return { attempts: USUAL_ATTEMPTS, backoffMs: 1_000, ...job }
}
