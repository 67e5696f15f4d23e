import { generateKeySet } from '../../src/shared/platform/adapters/tokens/access-tokens.ts'
import { type Config, readConfig } from '../../src/shared/platform/config/config.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { startWorkerProcess } from '../support/processes.ts'

/**
 * Starts workers in groups that start together, on queues in PostgreSQL, and counts those that end instead of working:
 * `node test/drills/worker-starts.ts [200 [20]]`. Ends with 1 when there is one.
 */
const [starts = 200, together = 20] = process.argv.slice(2).map(Number)
const postgres = await startOwnPostgres({ max_connections: '300' })
const config: Config = readConfig(
  {
    DATABASE_URL: postgres.url,
    AUTH_KEYS: JSON.stringify(await generateKeySet()),
    RECORD_KEYS: JSON.stringify(await generateKeySet()),
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_flightline',
    STRIPE_WEBHOOK_SECRET: 'whsec_flightline',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    LOG_LEVEL: 'silent',
  },
  { HOST: '127.0.0.1', DATABASE_POOL_SIZE: 3 },
)
const failures: string[] = []
let started = 0
while (started < starts) {
  const group = await Promise.allSettled(
    Array.from({ length: Math.min(together, starts - started) }, () => startWorkerProcess(config)),
  )
  started += group.length
  for (const one of group) {
    if (one.status === 'fulfilled') await one.value.kill()
    else failures.push(String(one.reason))
  }
  process.stdout.write(`${started} started, ${failures.length} ended instead\n`)
}
await postgres.stop()
for (const failure of failures) process.stdout.write(`${failure}\n`)
process.exit(failures.length > 0 ? 1 : 0)
