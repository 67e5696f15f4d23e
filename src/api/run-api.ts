import { collectAtRest } from '../shared/composition/collect-at-rest.ts'
import { type Core, connectionBudget, openCore } from '../shared/composition/core.ts'
import { readKeySet } from '../shared/composition/key-sets.ts'
import { configOrExit, exitWith, logConfig, onStop, openLog } from '../shared/composition/process.ts'
import { sayDifferences } from '../shared/composition/say-differences.ts'
import { waitForSchema } from '../shared/composition/wait-for-schema.ts'
import { requireAll, required } from '../shared/platform/config/config.ts'
import { whyNotListening } from '../shared/platform/config/listening.ts'
import { openRedis } from '../shared/platform/jobs/open-redis.ts'
import { reportLossOnce } from '../shared/platform/kernel/report-once.ts'
import { buildApp } from './app.ts'
import { drain } from './http/drain.ts'
import { startHoldingServer } from './http/holding-server.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { createReadPlaces } from './http/read-places.ts'
import type { LocalFront } from './reference/front.routes.ts'

/** How long clients are served after the signal to stop, in milliseconds. It is longer than any query may take. */
const CLIENTS_HAVE = { sendingMs: 3_000, answeringMs: 20_000 }

/**
 * Runs the API process until a signal stops it: `flightline api`.
 * @param openLocal Returns what the front page offers in addition when the service runs with stand-ins; null otherwise
 */
export async function runApi(openLocal: (core: Core) => Promise<LocalFront | null> = async () => null): Promise<void> {
  const config = configOrExit({ HOST: '0.0.0.0' })
  const log = openLog(config)
  const listening = <T>(started: Promise<T>): Promise<T> =>
    started.catch((error: unknown) => {
      throw whyNotListening(error, { port: config.PORT, host: config.HOST, variable: 'PORT' })
    })
  try {
    requireAll(config)
    logConfig(log, config)
    let freePort = async () => {}
    await waitForSchema(required(config, 'DATABASE_URL'), async (line) => {
      log.warn({}, line)
      freePort = await listening(startHoldingServer(config.PORT, config.HOST))
    })
    await freePort()
    const core = await openCore(config, log, { queuesMayBeAway: true, readsReplicas: true })
    const redis = config.REDIS_URL
      ? openRedis(config.REDIS_URL, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 1_000 })
      : undefined
    const counting = reportLossOnce({
      lost: (error) => log.warn({ reason: error.message }, 'the rate limits count in this process only'),
      back: () => log.info({}, 'the rate limits count in all processes together again'),
    })
    redis?.on('error', counting.lost)
    redis?.on('ready', counting.back)
    const rateLimits = createRateLimits({ redis, factor: config.RATE_LIMIT_FACTOR })
    const readPlaces =
      core.replicas && createReadPlaces(core.replicas, { redis, keySet: readKeySet(config, 'AUTH_KEYS') })
    const [app] = await Promise.all([
      buildApp({ ...core, rateLimits, readPlaces, log }, await openLocal(core)),
      core.passwordJudge.warm(),
    ])
    await listening(app.listen({ port: config.PORT, host: config.HOST }))
    log.info(connectionBudget(config, { listens: false }), 'connections to PostgreSQL at most')
    onStop(
      async () => {
        await drain(app, CLIENTS_HAVE)
        await app.close()
        redis?.disconnect()
        await core.close()
      },
      (word) => log.info({}, word),
    )
    void sayDifferences(core, log)
    collectAtRest()
    process.send?.('ready')
  } catch (error) {
    exitWith(error)
  }
}
