import type { JSONWebKeySet } from 'jose'
import type pg from 'pg'
import { createPasswordJudge, type PasswordJudge } from '../identity/accounts/password-judge.ts'
import type { Mailer } from '../platform/adapters/mail/mailer.port.ts'
import { createSmtpMailer } from '../platform/adapters/mail/smtp.ts'
import type { MeetingServices } from '../platform/adapters/meetings/meetings.port.ts'
import { openMeetings } from '../platform/adapters/meetings/open-meetings.ts'
import type { PaymentGateway } from '../platform/adapters/payments/payment-gateway.port.ts'
import { openGateway } from '../platform/adapters/payments/stripe.ts'
import { openPush } from '../platform/adapters/push/open-push.ts'
import type { PushService } from '../platform/adapters/push/push.port.ts'
import { createHighsSolver } from '../platform/adapters/solver/highs-solver.ts'
import type { Solver } from '../platform/adapters/solver/solver.port.ts'
import { openStorage } from '../platform/adapters/storage/open-storage.ts'
import type { ObjectStorage } from '../platform/adapters/storage/storage.port.ts'
import { type AccessTokens, createAccessTokens } from '../platform/adapters/tokens/access-tokens.ts'
import { type ConnectionSecrets, createConnectionSecrets } from '../platform/adapters/tokens/connection-secrets.ts'
import { createMailTokens, type MailTokens } from '../platform/adapters/tokens/mail-tokens.ts'
import {
  createFingerprint,
  createSealing,
  type Fingerprint,
  type Sealing,
} from '../platform/adapters/tokens/sealing.ts'
import { openTracing } from '../platform/adapters/tracing/otlp.ts'
import { openWeather } from '../platform/adapters/weather/aviation-weather.ts'
import type { WeatherSource } from '../platform/adapters/weather/weather.port.ts'
import { createWebhookCaller } from '../platform/adapters/webhooks/https-caller.ts'
import { ownListeners } from '../platform/adapters/webhooks/own-listeners.ts'
import { resolveName } from '../platform/adapters/webhooks/resolve-name.ts'
import type { WebhookCaller } from '../platform/adapters/webhooks/webhook-caller.port.ts'
import { createAccountReader, type ReadAccount } from '../platform/authz/read-account.queries.ts'
import { readAllowedNetworks } from '../platform/config/allowed-networks.ts'
import { type Config, ConfigError, required } from '../platform/config/config.ts'
import { checkPooler } from '../platform/db/check-pooler.ts'
import { checkReplicas } from '../platform/db/check-replicas.ts'
import type { Database } from '../platform/db/database.ts'
import { openDatabaseClock } from '../platform/db/database-clock.ts'
import { openReplicas, type Replicas } from '../platform/db/replicas.ts'
import { openSparePool } from '../platform/db/spare-pool.ts'
import type { Log } from '../platform/jobs/job-tools.ts'
import { createOutboxRelay, type OutboxRelay } from '../platform/jobs/outbox.ts'
import { openQueueBackend, type QueueBackend } from '../platform/jobs/queue-backend.ts'
import { type Clock, systemClock } from '../platform/kernel/clock.ts'
import { reportErrorOnce } from '../platform/kernel/report-once.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import { allJobs } from './all-jobs.ts'
import { createHealth, type Health } from './health.ts'
import { readKeySet, readRecordKeys } from './key-sets.ts'
import { openDatabase } from './tables.ts'

/** The dependencies that API and worker processes share. */
export interface Core {
  config: Config
  clock: Clock
  database: Database
  /** The replicas for reads of the API; null without any. */
  replicas: Replicas | null
  /** A pool of one connection, for work that must not wait behind requests and jobs. */
  spare: pg.Pool
  health: Health
  queues: QueueBackend
  relay: OutboxRelay
  tokens: AccessTokens
  mailTokens: MailTokens
  fingerprint: Fingerprint
  connectionSecrets: ConnectionSecrets
  /** Encrypts the cursors of lists. */
  cursors: Sealing
  readAccount: ReadAccount
  passwordJudge: PasswordJudge
  mailer: Mailer
  gateway: PaymentGateway
  push: PushService
  /** Its threads start when a plan is made. */
  solver: Solver
  storage: ObjectStorage
  meetings: MeetingServices
  /** Null when none is configured. */
  weather: WeatherSource | null
  webhooks: WebhookCaller
  /** Null when tracing is off. */
  tracing: Tracing | null
  close(): Promise<void>
}

/**
 * Returns the most PostgreSQL connections of a process. `work`: for requests or jobs. `queue`: for the queues, when
 * they are in PostgreSQL. `listener`: to listen for the jobs of these queues. `spare`: the spare connection of an API
 * process, and of a worker with a health endpoint. `all`: the sum.
 */
export function connectionBudget(
  { DATABASE_POOL_SIZE: work, QUEUE_POOL_SIZE, REDIS_URL, WORKER_PORT }: Config,
  { listens }: { listens: boolean },
): { work: number; queue: number; listener: number; spare: number; all: number } {
  const queue = REDIS_URL ? 0 : QUEUE_POOL_SIZE
  const listener = listens && !REDIS_URL ? 1 : 0
  const spare = listens && WORKER_PORT === undefined ? 0 : 1
  return { work, queue, listener, spare, all: work + queue + listener + spare }
}

/** How a process opens its dependencies. */
interface Opening {
  /** The clock of the process; by default the database's clock. */
  clock?: Clock
  /** Whether the process starts although Redis cannot be reached. Jobs then wait in the outbox. */
  queuesMayBeAway?: boolean
  /** Whether the process reads replicas. Workers read the primary. */
  readsReplicas?: boolean
}

/**
 * Opens the dependencies of a process. The relay uses the same clock as the transactions that enqueue jobs.
 * @throws ConfigError with the name of a variable that is missing or malformed
 */
export async function openCore(config: Config, log: Log, opening: Opening = {}): Promise<Core> {
  const databaseUrl = required(config, 'DATABASE_URL')
  const keySet = readKeySet(config, 'AUTH_KEYS')
  const recordKeys = readRecordKeys(config)
  const onError = reportErrorOnce((error) => log.warn({ reason: error.message }, 'a connection failed'), systemClock)
  const [tokens, mailTokens, fingerprint, connectionSecrets] = await keysOf(keySet)
  const storage = await openStorage(config, keySet)
  const meetings = openMeetings(config)
  const weather = openWeather(config)
  const push = await openPush(config, log)
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: config.DATABASE_POOL_SIZE,
    prepare: config.DATABASE_PREPARE === 'on',
    recordKeys,
    onConnectionError: onError,
  })
  await checkPooler(database, config.DATABASE_PREPARE === 'on')
  await checkReplicas(config.DATABASE_READ_URL, database.pool)
  const replicas = opening.readsReplicas ? await openReplicasOf(config, database, onError) : null
  const clock = opening.clock ?? (await openDatabaseClock(database))
  const queues = await openQueueBackend({
    redisUrl: config.REDIS_URL,
    databaseUrl: config.QUEUE_DATABASE_URL ?? databaseUrl,
    poolSize: config.QUEUE_POOL_SIZE,
    onError,
    mayBeAway: opening.queuesMayBeAway,
  })
  const spare = openSparePool(databaseUrl, onError)
  const relay = createOutboxRelay({ database, backend: queues, jobs: allJobs, clock, onError })
  const mailer = createSmtpMailer({ url: required(config, 'SMTP_URL'), from: config.MAIL_FROM })
  const gateway = openGateway(config)
  const webhooks = createWebhookCaller({
    allowed: readAllowedNetworks(config.WEBHOOK_ALLOWED_NETWORKS),
    own: ownListeners(config),
    resolve: resolveName,
  })
  const passwordJudge = createPasswordJudge()
  const solver = createHighsSolver()
  const tracing = await openTracing(config)
  return {
    config,
    clock,
    database,
    replicas,
    spare,
    health: createHealth({ spare, queues, log }),
    queues,
    relay,
    tokens,
    mailTokens,
    fingerprint,
    connectionSecrets,
    cursors: createSealing(keySet, 'cursors'),
    readAccount: createAccountReader(database.pool),
    passwordJudge,
    mailer,
    gateway,
    push,
    solver,
    storage,
    meetings,
    weather,
    webhooks,
    tracing,
    async close() {
      await passwordJudge.close()
      await solver.close()
      await relay.drain()
      await queues.close()
      await mailer.close()
      await push.close()
      await spare.end()
      await replicas?.close()
      await database.close()
      await tracing?.close()
    },
  }
}

/** Opens the replicas of `DATABASE_READ_URL`; null without any. */
async function openReplicasOf(
  { DATABASE_READ_URL: urls, READ_LAG_MS, DATABASE_POOL_SIZE, DATABASE_PREPARE }: Config,
  { pool }: Database,
  onError: (error: Error) => void,
): Promise<Replicas | null> {
  if (urls.length === 0) return null
  const open = (url: string) =>
    openDatabase({
      url,
      replica: true,
      poolSize: DATABASE_POOL_SIZE,
      prepare: DATABASE_PREPARE === 'on',
      onConnectionError: onError,
    })
  return openReplicas(pool, { urls, mostLagMs: READ_LAG_MS, open, onError })
}

async function keysOf(keySet: JSONWebKeySet): Promise<[AccessTokens, MailTokens, Fingerprint, ConnectionSecrets]> {
  try {
    const tokens = await createAccessTokens(keySet)
    return [tokens, createMailTokens(keySet), createFingerprint(keySet), createConnectionSecrets(keySet)]
  } catch (error) {
    throw new ConfigError(`AUTH_KEYS: ${(error as Error).message}`)
  }
}
