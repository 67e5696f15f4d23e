import type { FastifyBaseLogger } from 'fastify'
import type { MeetingServices } from '../../shared/adapters/meetings/meetings.port.ts'
import type { Processor } from '../../shared/adapters/processor/processor.port.ts'
import type { ObjectStorage } from '../../shared/adapters/storage/storage.port.ts'
import type { AccessTokens } from '../../shared/adapters/tokens/access-tokens.ts'
import type { ConnectionSecrets } from '../../shared/adapters/tokens/connection-secrets.ts'
import type { MailTokens } from '../../shared/adapters/tokens/mail-tokens.ts'
import type { Fingerprint } from '../../shared/adapters/tokens/service-key.ts'
import type { ReadAccount } from '../../shared/authz/read-account.ts'
import type { Config } from '../../shared/config/config.ts'
import type { Database } from '../../shared/db/database.ts'
import type { OutboxRelay } from '../../shared/jobs/outbox.ts'
import type { QueueBackend } from '../../shared/jobs/queue-backend.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { RateLimits } from './rate-limit.ts'

/** What the API process is made of. Handed to `buildApp`, by the server and by tests alike. */
export interface Services {
  config: Config
  clock: Clock
  database: Database
  queues: QueueBackend
  relay: OutboxRelay
  tokens: AccessTokens
  mailTokens: MailTokens
  fingerprint: Fingerprint
  connectionSecrets: ConnectionSecrets
  readAccount: ReadAccount
  processor: Processor
  storage: ObjectStorage
  meetings: MeetingServices
  rateLimits: RateLimits
  log: FastifyBaseLogger
}
