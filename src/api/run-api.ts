import { Redis } from 'ioredis'
import { type Core, connectionBudget, openCore } from '../shared/composition/core.ts'
import { configOrExit, exitWith, onStop, openLog } from '../shared/composition/process.ts'
import { buildApp } from './app.ts'
import { drain } from './http/drain.ts'
import { createRateLimits } from './http/rate-limit.ts'
import type { LocalFront } from './reference/front.routes.ts'

/** How long clients are still answered after the signal to stop: longer than any query may take. */
const CLIENTS_HAVE = { sendingMs: 3_000, answeringMs: 20_000 }

/**
 * Runs the API in this process until it is told to stop.
 * @param openLocal what a start with stand-ins adds to the front page
 */
export async function runApi(openLocal: (core: Core) => Promise<LocalFront | null> = async () => null): Promise<void> {
  const config = configOrExit({ HOST: '0.0.0.0' })
  const log = openLog(config)
  try {
    const core = await openCore(config, log)
    const redis = config.REDIS_URL
      ? new Redis(config.REDIS_URL, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 1_000 })
      : undefined
    redis?.on('error', (error) => log.warn({ reason: error.message }, 'the rate limits count in this process only'))
    const rateLimits = createRateLimits({ redis, factor: config.RATE_LIMIT_FACTOR })
    const [app] = await Promise.all([
      buildApp({ ...core, rateLimits, log }, await openLocal(core)),
      core.passwordJudge.warm(),
    ])
    await app.listen({ port: config.PORT, host: config.HOST }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new Error(`port ${config.PORT} is already taken: set PORT to a free one`)
    })
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
    process.send?.('ready')
  } catch (error) {
    exitWith(error)
  }
}
