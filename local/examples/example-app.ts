import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/api/app.ts'
import { EXAMPLE_NOW } from '../../src/api/http/example-now.ts'
import { createRateLimits } from '../../src/api/http/rate-limit.ts'
import { openCore } from '../../src/shared/composition/core.ts'
import { openLog } from '../../src/shared/composition/process.ts'
import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createWebhookCaller } from '../../src/shared/platform/adapters/webhooks/https-caller.ts'
import { ownListeners } from '../../src/shared/platform/adapters/webhooks/own-listeners.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { startWorkers } from '../../src/workers/workers.ts'
import { type BuiltSchool, buildDemoSchool } from '../demo/school/build-school.ts'
import { startStripeSimulator } from '../payments/stripe-simulator.ts'
import { startWeatherStandIn } from '../weather/weather-stand-in.ts'
import type { ExampleRun } from './example-run.ts'

/** A service with a fresh demo school and a fixed clock. */
export interface ExampleApp {
  app: FastifyInstance
  school: BuiltSchool
  mailedToken: ExampleRun['mailedToken']
  close(): Promise<void>
}

/** The address that `hooks.example.com` resolves to. Nothing is sent there. */
const PUBLIC_ADDRESS = '93.184.216.34'

const resolve = async (name: string) => [name === 'hooks.example.com' ? PUBLIC_ADDRESS : '192.0.2.1']

const SECRETS = { secretKey: 'sk_test_examples', webhookSecret: 'whsec_examples' }

/** Starts the service on an empty migrated database, with the payment simulator and workers. Its clock always returns `now`. */
export async function startExampleApp(
  databaseUrl: string,
  dataDir: string,
  now: Date = EXAMPLE_NOW,
): Promise<ExampleApp> {
  const keys = await generateKeySet()
  const clock = () => now
  const simulator = await startStripeSimulator({
    port: 0,
    host: '127.0.0.1',
    ...SECRETS,
    now: clock,
    webhookUrl: null,
  })
  const weather = await startWeatherStandIn(clock)
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    AUTH_KEYS: JSON.stringify(keys),
    RECORD_KEYS: JSON.stringify(keys),
    PUBLIC_URL: 'https://flightline.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: SECRETS.secretKey,
    STRIPE_WEBHOOK_SECRET: SECRETS.webhookSecret,
    STRIPE_API_BASE: simulator.url,
    WEATHER_API_BASE: weather.url,
    ZOOM_CLIENT_ID: 'bay-flight',
    ZOOM_CLIENT_SECRET: 'none',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'silent',
  }
  const config = readConfig(environment, { HOST: '127.0.0.1' })
  const log = openLog(config)
  const webhooks = createWebhookCaller({ allowed: [], own: ownListeners(config), resolve })
  const core = { ...(await openCore(config, log, { clock })), webhooks }
  const { database, mailTokens } = core
  const receiverUrl = 'https://hooks.example.com/bay-flight'
  const school = await buildDemoSchool({ database, clock, keys, invoices: true, receiverUrl, files: true })
  const workers = await startWorkers({ ...core, log }, ['invoicing'])
  const app = await buildApp({ ...core, rateLimits: createRateLimits({ redis: undefined, factor: 1000 }), log })
  await app.ready()
  await core.passwordJudge.warm()
  return {
    app,
    school,
    async mailedToken(table) {
      const row = await database.db.selectFrom(table).select('seed').orderBy('id', 'desc').executeTakeFirstOrThrow()
      return mailTokens.tokenOf(row.seed ?? '')
    },
    async close() {
      await app.close()
      await workers.stop()
      await core.close()
      await simulator.close()
      await weather.close()
    },
  }
}
