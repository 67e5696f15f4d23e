import type { z } from 'zod'

/** The queues; each is worked by as many processes as it needs. */
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
 * The contract of a job. Its payload carries ids and the organization, never secrets or whole mails: the processor
 * reloads what it needs. A job may run more than once; its processor sees what is already done.
 */
export interface Job<Name extends string = string, Payload extends z.ZodType = z.ZodType> {
  name: Name
  queue: QueueName
  payload: Payload
  /** How often it is tried before it stays on the dashboard as failed. */
  attempts: number
  /** The first pause before a retry; it doubles each time, with jitter. */
  backoffMs: number
}

export type JobPayload<J extends Job> = z.output<J['payload']>

/** Some nine hours, with the pauses doubling from a second: servers are away, and mail servers put strangers off. */
const USUAL_ATTEMPTS = 16

/** Declares a job. The name is stable and dotted: rows of older releases still carry it. */
export function defineJob<const Name extends string, Payload extends z.ZodType>(
  job: Omit<Job<Name, Payload>, 'attempts' | 'backoffMs'> & { attempts?: number; backoffMs?: number },
): Job<Name, Payload> {
  return { attempts: USUAL_ATTEMPTS, backoffMs: 1_000, ...job }
}
