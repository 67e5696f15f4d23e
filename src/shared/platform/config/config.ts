import { z } from 'zod'
import { readAllowedNetworks } from '../adapters/webhooks/allowed-networks.ts'

const url = z.url().optional()
const text = z.string().min(1).optional()
const port = z.coerce.number().int().min(0).max(65535)

/** Every variable of the environment that the service reads. An empty variable counts as unset. */
const environment = z.object({
  PORT: port.default(3000),
  HOST: text,
  PUBLIC_URL: url,
  DATABASE_URL: url,
  MIGRATION_DATABASE_URL: url,
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  QUEUE_DATABASE_URL: url,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).optional(),
  QUEUE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(4),
  REDIS_URL: url,
  DATA_DIR: z.string().default('./.data'),
  AUTH_KEYS: text,
  SMTP_URL: url,
  MAIL_FROM: z.string().default('Flightline <no-reply@flightline.example>'),
  MAIL_WEB_PORT: port.default(1080),
  MAIL_SMTP_PORT: port.default(1025),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: url,
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(8_000),
  PROCESSOR_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(10_000),
  STRIPE_SIMULATOR_PORT: port.default(12111),
  WEBHOOK_RECEIVER_PORT: port.default(12112),
  STAND_INS_HOST: z.string().min(1).default('127.0.0.1'),
  FIREBASE_SERVICE_ACCOUNT: text,
  FIREBASE_API_BASE: url,
  ZOOM_CLIENT_ID: text,
  ZOOM_CLIENT_SECRET: text,
  ZOOM_AUTH_BASE: url,
  ZOOM_API_BASE: url,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_AUTH_BASE: url,
  GOOGLE_API_BASE: url,
  MEETING_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(10_000),
  WEATHER_API_BASE: url,
  WEATHER_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be one line of printable ASCII')
    .optional(),
  S3_BUCKET: text,
  S3_ENDPOINT: url,
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  OPS_USER: text,
  OPS_PASSWORD: text,
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || [])),
  WEBHOOK_ALLOWED_NETWORKS: z
    .string()
    .default('')
    .superRefine((list, context) => {
      try {
        readAllowedNetworks(list)
      } catch (error) {
        context.addIssue((error as Error).message)
      }
    }),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(500).default(10),
  DEMO_SCHOOL: z.enum(['on', 'off']).optional(),
  DEMO_MAIL: z.enum(['on', 'off']).default('off'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

type Environment = z.infer<typeof environment>

/** The service's settings, as read once at start. */
export interface Config extends Omit<Environment, 'HOST' | 'PUBLIC_URL' | 'DATABASE_POOL_SIZE'> {
  HOST: string
  PUBLIC_URL: string
  DATABASE_POOL_SIZE: number
}

/** What differs from one kind of process to another when the environment leaves it out. */
export interface ConfigDefaults {
  HOST: string
  /** 10 when left out, as an API has. */
  DATABASE_POOL_SIZE?: number
}

/** A variable that is missing or malformed. The message is the one line that the process prints. */
export class ConfigError extends Error {}

/**
 * Reads the settings from the environment.
 * @throws ConfigError naming every variable that does not fit, on one line.
 */
export function readConfig(env: Record<string, string | undefined>, defaults: ConfigDefaults): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
  }
  const { HOST, PUBLIC_URL, DATABASE_POOL_SIZE, ...rest } = parsed.data
  if (rest.DATABASE_PREPARE === 'off' && !rest.REDIS_URL && !rest.QUEUE_DATABASE_URL) {
    throw new ConfigError(
      'QUEUE_DATABASE_URL: is needed with DATABASE_PREPARE=off: the queues in PostgreSQL need connections that stay theirs',
    )
  }
  return {
    ...rest,
    HOST: HOST ?? defaults.HOST,
    DATABASE_POOL_SIZE: DATABASE_POOL_SIZE ?? defaults.DATABASE_POOL_SIZE ?? 10,
    PUBLIC_URL: (PUBLIC_URL ?? `http://localhost:${rest.PORT}`).replace(/\/$/, ''),
  }
}

/**
 * The settings a process started on its own cannot do without.
 * @throws ConfigError naming the first variable that is missing.
 */
export function required<Name extends keyof Config>(config: Config, name: Name): NonNullable<Config[Name]> {
  const value = config[name]
  if (value === undefined) throw new ConfigError(`${name} is not set`)
  return value as NonNullable<Config[Name]>
}
