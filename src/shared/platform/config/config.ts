import { z } from 'zod'
import { readAllowedNetworks } from './allowed-networks.ts'
import { parseRedisUrl } from './redis-url.ts'
import { withSecretsOfFiles } from './secret-files.ts'

const webUrl = z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' }).optional()
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgresql://' }).optional()
/** The most that `READ_LAG_MS` may be: as long as the positions of the primary are kept. */
export const LONGEST_LAG_MS = 60_000
const text = z.string().min(1).optional()
const port = z.coerce.number().int().min(0).max(65535)

/** The start of a live Stripe key. Such a key moves real money, so it is never sent without encryption. */
const liveKey = /^[rs]k_live_/

/** The variables of the environment that the service reads. An empty variable counts as unset. */
const variables = z.object({
  PORT: port.default(3000),
  HOST: text,
  PUBLIC_URL: webUrl,
  DATABASE_URL: postgresUrl,
  MIGRATION_DATABASE_URL: postgresUrl,
  DATABASE_READ_URL: z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim()))
    .refine(
      (urls) => urls.every((url) => postgresUrl.safeParse(url).success),
      'must be addresses that begin with postgresql://, with commas between them',
    )
    .default([]),
  READ_LAG_MS: z.coerce.number().int().min(100).max(LONGEST_LAG_MS).default(1_000),
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  QUEUE_DATABASE_URL: postgresUrl,
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).optional(),
  QUEUE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(4),
  REDIS_URL: z
    .string()
    .refine(
      (url) => parseRedisUrl(url) !== null,
      'must be redis://host:port, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port (rediss with TLS)',
    )
    .optional(),
  DATA_DIR: z.string().default('./.data'),
  AUTH_KEYS: text,
  RECORD_KEYS: text,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.string().default('Flightline <no-reply@flightline.example>'),
  MAIL_WEB_PORT: port.default(1080),
  MAIL_SMTP_PORT: port.default(1025),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: webUrl,
  STRIPE_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(8_000),
  PROCESSOR_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(10_000),
  STRIPE_SIMULATOR_PORT: port.default(12111),
  STRIPE_SIMULATOR_URL: webUrl,
  STRIPE_SIMULATOR_WEBHOOK_URL: webUrl,
  WEBHOOK_RECEIVER_PORT: port.default(12112),
  STAND_INS_HOST: z.string().min(1).default('127.0.0.1'),
  FIREBASE_SERVICE_ACCOUNT: text,
  FIREBASE_API_BASE: webUrl,
  ZOOM_CLIENT_ID: text,
  ZOOM_CLIENT_SECRET: text,
  ZOOM_AUTH_BASE: webUrl,
  ZOOM_API_BASE: webUrl,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_AUTH_BASE: webUrl,
  GOOGLE_API_BASE: webUrl,
  MEETING_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(10_000),
  WEATHER_API_BASE: webUrl,
  WEATHER_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be one line of printable ASCII')
    .optional(),
  S3_BUCKET: text,
  S3_ENDPOINT: webUrl,
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
  WORKER_PORT: port.optional(),
  WORKER_HOST: z.string().min(1).default('127.0.0.1'),
  SIGN_UP: z.enum(['open', 'invited', 'closed']).default('open'),
  DEMO_SCHOOL: z.enum(['on', 'off']).optional(),
  DEMO_MAIL: z.enum(['on', 'off']).default('off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl,
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

/** The URL of a mail catcher on this machine. */
const localMail = /^smtp:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?\/?$/

/**
 * Returns whether a demo organization may mail through a server: only outside production, and only to a mail catcher on this
 * machine. Demo organizations have public passwords, so anybody can make them mail any address.
 */
export function mayMailDemo(smtpUrl: string | undefined, nodeEnv: string | undefined): boolean {
  return nodeEnv !== 'production' && (smtpUrl === undefined || localMail.test(smtpUrl))
}

const environment = variables.superRefine(({ STRIPE_SECRET_KEY, STRIPE_API_BASE }, context) => {
  if (!liveKey.test(STRIPE_SECRET_KEY ?? '') || !STRIPE_API_BASE?.startsWith('http:')) return
  context.addIssue({ code: 'custom', path: ['STRIPE_API_BASE'], message: 'a live key goes to https:// alone' })
})

type Variables = z.infer<typeof variables>

/** The names of all variables. */
export const variableNames = Object.keys(variables.shape) as readonly (keyof Variables)[]

/** The service's settings, read once at the start of a process. */
export interface Config extends Omit<Variables, 'HOST' | 'PUBLIC_URL' | 'DATABASE_POOL_SIZE'> {
  HOST: string
  PUBLIC_URL: string
  DATABASE_POOL_SIZE: number
}

/** The values that a kind of process uses for variables that the environment does not set. */
export interface ConfigDefaults {
  HOST: string
  /** 10 when absent. */
  DATABASE_POOL_SIZE?: number
}

/** A missing or malformed variable. The message is the one line that the process prints. */
export class ConfigError extends Error {}

/**
 * Reads the settings from the environment, and secrets from the files that it names.
 * @throws ConfigError naming every invalid variable, on one line.
 */
export function readConfig(env: Record<string, string | undefined>, defaults: ConfigDefaults): Config {
  const given = withSecretsOfFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== '')),
  )
  const parsed = environment.safeParse(given.env)
  const wrong = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...given.problems, ...wrong]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('; '))
  const { HOST, PUBLIC_URL, DATABASE_POOL_SIZE, ...rest } = parsed.data
  if (rest.DEMO_MAIL === 'on' && !mayMailDemo(rest.SMTP_URL, env.NODE_ENV)) {
    throw new ConfigError('DEMO_MAIL: is for a mail catcher on this machine, and never with NODE_ENV=production')
  }
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
 * Returns a setting that the process requires.
 * @throws ConfigError naming the variable when it is not set.
 */
export function required<Name extends keyof Config>(config: Config, name: Name): NonNullable<Config[Name]> {
  const value = config[name]
  if (value === undefined) throw new ConfigError(`${name} is not set`)
  return value as NonNullable<Config[Name]>
}

/** The variables that every API and worker requires. */
const needed = [
  'DATABASE_URL',
  'AUTH_KEYS',
  'RECORD_KEYS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const

/** Groups of variables that must be set together. */
const together = [
  ['OPS_USER', 'OPS_PASSWORD'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['ZOOM_CLIENT_ID', 'ZOOM_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
] as const

/**
 * Ensures that every variable is set that an API or a worker requires.
 * @throws ConfigError naming every missing variable, on one line.
 */
export function requireAll(config: Config): void {
  const halves = together.filter((names) => names.some((name) => config[name] !== undefined)).flat()
  const missing: string[] = [...needed, ...halves].filter((name) => config[name] === undefined)
  if (config.S3_ENDPOINT && !config.S3_BUCKET) missing.push('S3_BUCKET')
  if (missing.length === 0) return
  const last = missing.at(-1)
  const names = missing.length === 1 ? `${last} is` : `${missing.slice(0, -1).join(', ')} and ${last} are`
  throw new ConfigError(`${names} not set`)
}
