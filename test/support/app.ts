import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Redis } from 'ioredis'
import type { JSONWebKeySet } from 'jose'
import type { DestinationStream, Logger } from 'pino'
import { buildApp } from '../../src/api/app.ts'
import { createRateLimits } from '../../src/api/http/rate-limit.ts'
import type { ReadPlaces } from '../../src/api/http/read-places.ts'
import { type Core, openCore } from '../../src/shared/composition/core.ts'
import { openLog } from '../../src/shared/composition/process.ts'
import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createWebhookCaller } from '../../src/shared/platform/adapters/webhooks/https-caller.ts'
import { ownListeners } from '../../src/shared/platform/adapters/webhooks/own-listeners.ts'
import type { ResolveName } from '../../src/shared/platform/adapters/webhooks/resolve-name.ts'
import { readAllowedNetworks } from '../../src/shared/platform/config/allowed-networks.ts'
import { type Config, readConfig } from '../../src/shared/platform/config/config.ts'
import { type Clock, systemClock } from '../../src/shared/platform/kernel/clock.ts'
import { cloneDatabase } from './database.ts'

/** An API on its own database, called through `inject` without opening a port. */
export interface TestApp {
  app: FastifyInstance
  core: Core
  config: Config
  log: Logger
  /** The API's time; tests may change it. */
  clock: { now: Date }
  call(method: Method, url: string, options?: CallOptions): Promise<LightMyRequestResponse>
  /** Sends requests with the token of a member: `api.as(student).post('/reservations', body)`. */
  as(who: { token: string }): Caller
  close(): Promise<void>
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Send = (url: string, body?: unknown) => Promise<LightMyRequestResponse>

/** One function per HTTP method. */
type Caller = Record<Lowercase<Method>, Send>

export interface CallOptions {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

export interface TestAppOptions {
  /** Overrides of the environment, such as the address of a simulator. */
  env?: Record<string, string>
  databaseUrl?: string
  /** Uses the system's clock instead of a fixed one. */
  realTime?: boolean
  /** Where the rate limits of several processes are counted; by default in this process. */
  rateLimitRedis?: Redis
  /** Where reads go; by default to the database. */
  readPlaces?: (core: Core) => ReadPlaces
  /** Where the log is written; by default to standard output. */
  logTo?: DestinationStream
  /** The DNS answers for the names of webhooks; by default one public address for all of them. */
  resolve?: ResolveName
  /** The certificate authority that webhooks trust (PEM). */
  ca?: string
}

/** Saturday noon in UTC: the default time of tests. */
export const NOW = new Date('2026-11-21T12:00:00Z')

let keySet: Promise<JSONWebKeySet> | undefined

/**
 * Returns the environment of a test process. Nothing listens at its addresses unless the test starts a server there.
 */
export async function testEnvironment(databaseUrl: string): Promise<Record<string, string>> {
  keySet ??= generateKeySet()
  return {
    DATABASE_URL: databaseUrl,
    AUTH_KEYS: JSON.stringify(await keySet),
    RECORD_KEYS: JSON.stringify(await keySet),
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_flightline',
    STRIPE_WEBHOOK_SECRET: 'whsec_flightline',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    OPS_USER: 'ops',
    OPS_PASSWORD: 'ops-password',
    RATE_LIMIT_FACTOR: '1000',
    // A new connection costs PostgreSQL 20 ms; the queues of a test need no second one.
    QUEUE_POOL_SIZE: '1',
    // Only a test that starts workers waits for what they do.
    PROCESSOR_WAIT_MS: '0',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
  }
}

/** The environment of an API whose test starts workers: a request may wait for what they do. */
export const waitingForWorkers = { PROCESSOR_WAIT_MS: '10000' }

/** Starts an API for a test file. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const databaseUrl = options.databaseUrl ?? (await cloneDatabase())
  const config = readConfig({ ...(await testEnvironment(databaseUrl)), ...options.env }, { HOST: '127.0.0.1' })
  const log = openLog(config, options.logTo)
  const clock = { now: NOW }
  const now: Clock = options.realTime ? systemClock : () => clock.now
  const { resolve = async () => ['93.184.216.34'], ca } = options
  const allowed = readAllowedNetworks(config.WEBHOOK_ALLOWED_NETWORKS)
  const webhooks = createWebhookCaller({ allowed, own: ownListeners(config), resolve, ...(ca && { ca }) })
  const core = { ...(await openCore(config, log, { clock: now })), webhooks }
  const rateLimits = createRateLimits({ redis: options.rateLimitRedis, factor: config.RATE_LIMIT_FACTOR })
  const app = await buildApp({ ...core, rateLimits, readPlaces: options.readPlaces?.(core) ?? null, log })
  await app.ready()
  const call: TestApp['call'] = (method, url, { token, body, headers } = {}) =>
    app.inject({
      method,
      url,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    })
  return {
    app,
    core,
    config,
    log,
    clock,
    call,
    as({ token }) {
      const send =
        (method: Method): Send =>
        (url, body) =>
          call(method, url, { token, body })
      return { get: send('GET'), post: send('POST'), patch: send('PATCH'), put: send('PUT'), delete: send('DELETE') }
    },
    async close() {
      await app.close()
      await core.close()
    },
  }
}
