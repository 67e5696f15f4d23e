import type { Mailer } from '../adapters/mail/mailer.port.ts'
import type { MeetingServices } from '../adapters/meetings/meetings.port.ts'
import type { PaymentGateway } from '../adapters/payments/payment-gateway.port.ts'
import type { PushService } from '../adapters/push/push.port.ts'
import type { Solver } from '../adapters/solver/solver.port.ts'
import type { ObjectStorage } from '../adapters/storage/storage.port.ts'
import type { ConnectionSecrets } from '../adapters/tokens/connection-secrets.ts'
import type { MailTokens } from '../adapters/tokens/mail-tokens.ts'
import type { WeatherSource } from '../adapters/weather/weather.port.ts'
import type { WebhookCaller } from '../adapters/webhooks/webhook-caller.port.ts'
import type { Config } from '../config/config.ts'
import type { Job, JobPayload } from '../contracts/define-job.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { QueueBackend } from './queue-backend.ts'

/** The part of pino's logger that the service uses. */
export interface Log {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** The dependencies of a job. No transaction is open during an external call. */
export interface JobTools {
  config: Config
  clock: Clock
  database: Database
  mailer: Mailer
  gateway: PaymentGateway
  storage: ObjectStorage
  push: PushService
  solver: Solver
  weather: WeatherSource | null
  meetings: MeetingServices
  webhooks: WebhookCaller
  connectionSecrets: ConnectionSecrets
  mailTokens: MailTokens
  /** Null when tracing is off. */
  tracing: Tracing | null
  queues: QueueBackend
  log: Log
  /** Runs one transaction of this job. The jobs that it enqueues are published after the commit. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The current run of a job. `id` is the same in every run; it is the default subject of the deliveries of the job. */
export interface JobRun {
  id: string
  /** The organization in the job's payload; null when it has none. */
  organizationId: number | null
  attempt: number
  /** The most attempts of the job. */
  attempts: number
  lastAttempt: boolean
}

/**
 * The function that runs the jobs of one name. It reloads the record, calls a use case, and makes each external call
 * only once.
 */
export type JobProcessor<J extends Job> = (payload: JobPayload<J>, tools: JobTools, run: JobRun) => Promise<void>

/** Returns whether a job has a row in the outbox. Scheduled jobs have none, and their ids are not row ids. */
export function isOutboxJobId(id: string | undefined): id is string {
  return /^[0-9a-f-]{36}$/.test(id ?? '')
}
