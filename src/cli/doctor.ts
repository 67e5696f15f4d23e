import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { readKeySet } from '../shared/composition/key-sets.ts'
import { isMigrated, pendingSchema } from '../shared/composition/wait-for-schema.ts'
import { compareZoneData } from '../shared/composition/zone-data.queries.ts'
import { openStorage } from '../shared/platform/adapters/storage/open-storage.ts'
import { type Config, ConfigError, requireAll } from '../shared/platform/config/config.ts'
import { configWarnings } from '../shared/platform/config/config-warnings.ts'
import { describeConfig } from '../shared/platform/config/describe-config.ts'
import { checkReplica } from '../shared/platform/db/check-replicas.ts'
import { readSkew, whySkewed } from '../shared/platform/db/clock-skew.ts'
import { backupIn, whyHeld } from '../shared/platform/db/hold.ts'
import { whyUnusable } from '../shared/platform/db/is-unusable.ts'
import { singleClient } from '../shared/platform/db/single-client.ts'
import { findStuck } from '../shared/platform/jobs/counts.queries.ts'
import { openQueueBackend } from '../shared/platform/jobs/queue-backend.ts'
import { compareWithGateway } from './backup/compare.ts'
import { tryConnection } from './try-connection.ts'
import { readSettings, say, withDatabase } from './with-database.ts'

/** A check. Returns its line when it passes; otherwise throws an error that tells what to do. */
type Check = (config: Config) => Promise<string>

const WITHIN_MS = 10_000
const LEAST_FREE_BYTES = 1024 ** 3

/** The checks, in the order in which they run. Their lines contain variables, hosts and figures, but no secrets. */
const checks: Record<string, Check> = {
  async configuration(config) {
    requireAll(config)
    readKeySet(config, 'AUTH_KEYS')
    const [warning] = configWarnings(process.env)
    if (warning) throw new Error(warning)
    return describeConfig(config)
  },
  database: (config) =>
    withClient(config, async (client) => {
      const { rows } = await client.query<{ version: string; role: string; read_only: string }>(
        `select current_setting('server_version') as version, current_user as role,
           current_setting('transaction_read_only') as read_only`,
      )
      if (Number.parseInt(rows[0]?.version ?? '', 10) < 15) throw new Error('PostgreSQL 15 or later is needed')
      if (rows[0]?.read_only === 'on')
        throw new Error('the server is read-only: it is a standby, or an operator made it so')
      return `PostgreSQL ${rows[0]?.version}, as ${rows[0]?.role}`
    }),
  replicas: (config) =>
    withClient(config, async (client) => {
      const found: string[] = []
      for (const url of config.DATABASE_READ_URL) {
        const { host } = new URL(url)
        const standby = await checkReplica(url, client).catch((error: Error) => {
          throw error instanceof ConfigError ? error : new Error(host, { cause: error })
        })
        found.push(standby ? `${host} is a standby` : `${host} accepts writes and is left out`)
      }
      return found.join(', ') || 'none'
    }),
  schema: (config) =>
    withClient(config, async (client) => {
      const pending = await pendingSchema(client)
      if (!isMigrated(pending))
        throw new Error(`${pending.migrations.length} migrations are pending: run flightline migrate`)
      return 'that of this release'
    }),
  restore: (config) =>
    withDatabase(config, async (database) => {
      const why = await whyHeld(database.pool)
      if (why === null) return 'nothing is held'
      const backup = backupIn(why)
      const { lines } = backup ? await compareWithGateway(config, database, backup) : { lines: [] }
      throw new Error(
        [`nothing leaves the service: ${why}`, ...lines.map((line) => line.trim())].join('; ').replaceAll(':; ', ': '),
      )
    }),
  clock: (config) =>
    withClient(config, async (client) => {
      const skew = await readSkew(client)
      const why = whySkewed(skew)
      if (why !== null) throw new Error(why)
      return `${Math.round(Math.abs(skew.aheadMs))} ms off the database's`
    }),
  zones: (config) =>
    withClient(config, async (client) => {
      const { compared, difference } = await compareZoneData(client, new Date())
      if (difference !== null) throw new Error(difference)
      return `${compared} in use, as in Node.js (${process.versions.tz})`
    }),
  async queue(config) {
    const { REDIS_URL: redisUrl, DATABASE_URL = '', QUEUE_DATABASE_URL: databaseUrl = DATABASE_URL } = config
    const queues = await openQueueBackend({ redisUrl, databaseUrl, poolSize: 2, onError: () => undefined })
    try {
      await queues.ping()
    } finally {
      await queues.close()
    }
    const pending = await withDatabase(config, ({ pool }) =>
      pool.query<{ failed: number }>('select count(*)::int as failed from outbox where failed_at is not null'),
    )
    const failed = pending.rows[0]?.failed ?? 0
    return `${redisUrl ? 'Redis' : 'PostgreSQL'} answers; ${failed} jobs were given up${failed ? ': see flightline jobs failed' : ''}`
  },
  jobs: (config) =>
    withDatabase(config, async ({ pool }) => {
      const [most, ...others] = await findStuck(pool)
      if (!most) return 'none is stuck'
      const { job, count, failures, reason } = most
      const why = reason === null ? 'no worker has begun it' : `failed ${failures} times, last: ${reason}`
      const more = others.length > 0 ? ` and ${others.length} other ${others.length === 1 ? 'kind' : 'kinds'}` : ''
      throw new Error(`${count} of ${job}${more} are stuck (${why}): see flightline jobs stuck`)
    }),
  mail: async ({ SMTP_URL }) => `${await tryConnection(SMTP_URL ?? '', 25)} answers; flightline mail test sends a mail`,
  async processor({ STRIPE_API_BASE = 'https://api.stripe.com', STRIPE_SECRET_KEY }) {
    const headers = { authorization: `Bearer ${STRIPE_SECRET_KEY}` }
    const { status } = await fetch(`${STRIPE_API_BASE}/v1/customers?limit=1`, {
      headers,
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    if (status === 401) throw new Error('the payment gateway refuses STRIPE_SECRET_KEY')
    if (status >= 400) throw new Error(`the payment gateway answers ${status}`)
    return `${new URL(STRIPE_API_BASE).host} takes the key`
  },
  async storage(config) {
    const storage = await openStorage(config, readKeySet(config, 'AUTH_KEYS'))
    if (!storage.own)
      return `bucket ${config.S3_BUCKET}; ${await tryConnection(config.S3_ENDPOINT ?? 'https://s3.amazonaws.com', 443)} answers`
    return `the directory ${config.DATA_DIR}, which all processes have to share`
  },
  async disk({ DATA_DIR }) {
    const { bavail, bsize } = await statfs(DATA_DIR).catch(() => statfs(dirname(DATA_DIR)))
    const free = bavail * bsize
    if (free < LEAST_FREE_BYTES) throw new Error(`only ${Math.round(free / 1024 ** 2)} MiB are free in ${DATA_DIR}`)
    return `${Math.round(free / 1024 ** 3)} GiB free in ${DATA_DIR}`
  },
}

/** `flightline doctor`: runs all checks and prints a line for each. The exit code is 1 when a check fails. */
export async function runDoctor(): Promise<void> {
  const config = readSettings()
  for (const [name, check] of Object.entries(checks)) {
    const line = await check(config).then(
      (found) => `ok    ${name.padEnd(14)} ${found}`,
      (error: Error) => {
        process.exitCode = 1
        return `wrong ${name.padEnd(14)} ${whyUnusable(error) ?? reasonIn(error)}`
      },
    )
    say(line)
  }
}

/**
 * Returns the first line of an error and of its causes. An error that groups others, as after a refused connection to
 * several addresses, is represented by its first one.
 */
function reasonIn(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const cause = inner.cause instanceof Error ? `: ${reasonIn(inner.cause)}` : ''
  return `${inner.message.split('\n')[0]}${cause}`
}

async function withClient<T>({ DATABASE_URL }: Config, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (!DATABASE_URL) throw new Error('DATABASE_URL is not set')
  const client = singleClient({ connectionString: DATABASE_URL, connectionTimeoutMillis: WITHIN_MS })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
