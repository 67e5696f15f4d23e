import type { Mailer } from '../adapters/mail/mailer.port.ts'
import type { MeetingServices } from '../adapters/meetings/meetings.port.ts'
import type { PaymentGateway } from '../adapters/payments/payment-gateway.port.ts'
import type { PushService } from '../adapters/push/push.port.ts'
import type { ObjectStorage } from '../adapters/storage/storage.port.ts'
import type { ConnectionSecrets } from '../adapters/tokens/connection-secrets.ts'
import type { MailTokens } from '../adapters/tokens/mail-tokens.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Job, JobPayload } from './define-job.ts'
import type { QueueBackend } from './queue-backend.ts'

/** What the service logs with: pino's signature, as much of it as we use. */
export interface Log {
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** What a job works with. No transaction is open while it speaks to the outside. */
export interface JobTools {
  config: Config
  clock: Clock
  database: Database
  mailer: Mailer
  processor: PaymentGateway
  storage: ObjectStorage
  push: PushService
  meetings: MeetingServices
  connectionSecrets: ConnectionSecrets
  mailTokens: MailTokens
  queues: QueueBackend
  log: Log
  /** One transaction of this job; the jobs it owes are handed over after the commit. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Which run of which job this is. `id` is the same on every run: deliveries are known by it. */
export interface JobRun {
  id: string
  /** Of the job's payload; null when it names none. */
  organizationId: number | null
  attempt: number
  /** How often the job is tried. */
  attempts: number
  lastAttempt: boolean
}

/** Does one kind of job: reloads its record by id, calls a use case, tells the outside once. */
export type JobProcessor<J extends Job> = (payload: JobPayload<J>, tools: JobTools, run: JobRun) => Promise<void>
