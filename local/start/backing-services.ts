import { join, resolve } from 'node:path'
import { type Config, mayMailDemo, required } from '../../src/shared/platform/config/config.ts'
import { startMailCatcher } from '../mail/mail-catcher.ts'
import { startStripeSimulator } from '../payments/stripe-simulator.ts'
import { ensureFree } from '../servers/ports.ts'
import { startWeatherStandIn } from '../weather/weather-stand-in.ts'
import { startWebhookReceiver } from '../webhooks/webhook-receiver.ts'
import { loadOrCreateDevSecrets, type Secrets } from './dev-secrets.ts'
import { openDatabaseServer } from './own-database.ts'
import type { Environment } from './service-process.ts'
import type { ShutdownSequence } from './shutdown-sequence.ts'

/** The services that the API and the workers need: the environment variables to reach them, and the pages that a person opens. */
export interface BackingServices {
  environment: Environment
  /** The owner's connection string, for migrations only. The API and the workers do not get it. */
  ownerUrl: string
  /** The URL of the inbox; null when the environment names a mail server. */
  inboxUrl: string | null
  /** The URL of the payment simulator; null when the environment names the payment gateway. */
  simulatorUrl: string | null
  /** The URL of the demo school's webhook. */
  receiverUrl: string
  /** Resolves with one line when the embedded database server ended and is not restarted. */
  exited: Promise<string>
}

export interface BackingServiceOptions {
  /** False when data may be lost in a crash of the machine. */
  durable: boolean
}

/**
 * Starts the services that the environment does not name: PostgreSQL, a mail catcher, the payment simulator, a source
 * of weather reports and a webhook receiver. Creates the secrets in DATA_DIR. The mail catcher and the payment
 * simulator store all mails and pay all invoices without authentication, so they listen on STAND_INS_HOST, by default
 * the loopback address, and not on HOST.
 * @throws Error of one line: a directory in use, a port taken, a variable missing.
 */
export async function startBackingServices(
  config: Config,
  options: BackingServiceOptions,
  parts: ShutdownSequence,
): Promise<BackingServices> {
  if (config.STRIPE_SECRET_KEY) required(config, 'STRIPE_WEBHOOK_SECRET')
  const secrets = await loadOrCreateDevSecrets(config.DATA_DIR)
  const tasks = [
    openDatabaseServer(config, options, parts),
    ensureFree(config.PORT, config.HOST, 'PORT'),
    openMail(config, parts),
    openGateway(config, secrets, parts),
    openWeather(config, parts),
    openReceiver(config, parts),
  ] as const
  // Waits for all tasks: when one fails, the others are in `parts` then, so that the caller can stop them. A directory in
  // use is reported before a port in use: the ports of a second start are in use because of the first start.
  await Promise.allSettled(tasks)
  const [database, , mail, processor, weather, receiver] = await Promise.all(tasks)
  return {
    environment: {
      HOST: config.HOST,
      PORT: String(config.PORT),
      PUBLIC_URL: config.PUBLIC_URL,
      DATA_DIR: resolve(config.DATA_DIR),
      DATABASE_URL: database.url,
      AUTH_KEYS: config.AUTH_KEYS ?? secrets.authKeys,
      RECORD_KEYS: config.RECORD_KEYS ?? secrets.recordKeys,
      OPS_USER: config.OPS_USER ?? 'ops',
      OPS_PASSWORD: config.OPS_PASSWORD ?? secrets.opsPassword,
      ...mail.environment,
      ...processor.environment,
      ...weather,
      ...receiver.environment,
    },
    ownerUrl: database.ownerUrl,
    inboxUrl: mail.inboxUrl,
    simulatorUrl: processor.simulatorUrl,
    receiverUrl: receiver.receiverUrl,
    exited: database.exited,
  }
}

async function openMail(config: Config, parts: ShutdownSequence) {
  if (config.SMTP_URL) return { environment: {} as Environment, inboxUrl: null }
  const catcher = await startMailCatcher({
    smtpPort: config.MAIL_SMTP_PORT,
    webPort: config.MAIL_WEB_PORT,
    host: config.STAND_INS_HOST,
  })
  await parts.add('mail', catcher.close)
  const { smtpUrl } = catcher
  const demo: Environment = mayMailDemo(smtpUrl, process.env.NODE_ENV) ? { DEMO_MAIL: 'on' } : {}
  return { environment: { SMTP_URL: smtpUrl, ...demo }, inboxUrl: catcher.webUrl }
}

async function openGateway(config: Config, secrets: Secrets, parts: ShutdownSequence) {
  if (config.STRIPE_SECRET_KEY) return { environment: {} as Environment, simulatorUrl: null }
  const simulator = await startStripeSimulator({
    port: config.STRIPE_SIMULATOR_PORT,
    host: config.STAND_INS_HOST,
    secretKey: secrets.gatewayKey,
    webhookSecret: secrets.webhookSecret,
    webhookUrl: `${localUrl(config)}/webhooks/stripe`,
    stateFile: join(config.DATA_DIR, 'payment-simulator.json'),
  })
  await parts.add('processor', simulator.close)
  return {
    environment: {
      STRIPE_SECRET_KEY: secrets.gatewayKey,
      STRIPE_WEBHOOK_SECRET: secrets.webhookSecret,
      STRIPE_API_BASE: simulator.url,
    },
    simulatorUrl: simulator.url,
  }
}

async function openWeather(config: Config, parts: ShutdownSequence): Promise<Environment> {
  if (config.WEATHER_API_BASE) return {}
  const standIn = await startWeatherStandIn()
  await parts.add('weather', standIn.close)
  return { WEATHER_API_BASE: standIn.url }
}

/** Starts the webhook receiver. Adds its address and port to the allowed networks; other ports of this machine stay forbidden. */
async function openReceiver(config: Config, parts: ShutdownSequence) {
  const receiver = await startWebhookReceiver(config.WEBHOOK_RECEIVER_PORT)
  await parts.add('webhooks', receiver.close)
  const allowed = [config.WEBHOOK_ALLOWED_NETWORKS, `127.0.0.1/32:${receiver.port}`].filter(Boolean).join(',')
  return { environment: { WEBHOOK_ALLOWED_NETWORKS: allowed }, receiverUrl: receiver.url }
}

/** Returns the URL of the API for requests from this machine. */
export function localUrl({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return `http://${everywhere[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)}:${PORT}`
}
