import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../shared/composition/migrate.ts'
import { type Config, readConfig, required } from '../../shared/platform/config/config.ts'
import { freePort } from './free-port.ts'
import { bringUpNeighbours, localUrl, type Neighbours } from './neighbours.ts'
import type { RunningParts } from './running-parts.ts'
import { type Environment, startServiceProcess } from './service-process.ts'

/** The whole service on one machine, up and healthy. */
export interface Stand {
  /** The settings that its processes run with. */
  config: Config
  /** Where this machine reaches the API. */
  apiUrl: string
  inboxUrl: string | null
  simulatorUrl: string | null
  logDirectory: string
  /** Settles with one line when a part of it dies. */
  died: Promise<string>
}

export interface StandOptions {
  /** False where data may be lost when the machine stops without warning. */
  durable: boolean
  /** Done on the migrated database before the processes start. */
  prepare?: (config: Config, neighbours: Neighbours) => Promise<void>
}

const HEALTHY_WITHIN_MS = 30_000

/**
 * Brings up the neighbours that the environment does not name, the schema, the API and the workers, as processes of
 * their own, and answers when the API says that it is healthy. @throws Error of one line saying what stands in the way;
 * what is up by then is stopped by the caller, through `parts`.
 */
export async function bringUp(given: Environment, options: StandOptions, parts: RunningParts): Promise<Stand> {
  const wanted = readConfig(given, { HOST: '127.0.0.1' })
  if (wanted.PORT === 0) return bringUp({ ...given, PORT: String(await freePort()) }, options, parts)
  const logDirectory = resolve(wanted.DATA_DIR, 'log')
  await mkdir(logDirectory, { recursive: true })
  const neighbours = await bringUpNeighbours(wanted, options, parts)
  const environment = { ...given, ...neighbours.environment, MIGRATION_DATABASE_URL: undefined }
  const config = readConfig(environment, { HOST: wanted.HOST })
  await migrate({
    ownerUrl: neighbours.ownerUrl,
    serviceUrl: required(config, 'DATABASE_URL'),
    tell: (line) => process.stderr.write(`flightline: ${line}\n`),
  })
  await options.prepare?.(config, neighbours)
  const start = async (name: 'api' | 'workers', script: string) => {
    const process = await startServiceProcess({ name, script, environment, logDirectory })
    await parts.add(name, process.stop)
    return process
  }
  const processes = await Promise.all([start('api', 'src/api/server.ts'), start('workers', 'src/workers/main.ts')])
  const apiUrl = localUrl(config)
  await untilHealthy(apiUrl)
  const { inboxUrl, simulatorUrl } = neighbours
  return {
    config,
    apiUrl,
    inboxUrl,
    simulatorUrl,
    logDirectory,
    died: Promise.race([...processes, neighbours].map((part) => part.died)),
  }
}

async function untilHealthy(apiUrl: string): Promise<void> {
  const deadline = performance.now() + HEALTHY_WITHIN_MS
  let last = ''
  while (performance.now() < deadline) {
    const answer = await fetch(`${apiUrl}/health`).catch((error: Error) => error)
    if (answer instanceof Response && answer.ok) return
    last = answer instanceof Response ? await answer.text() : answer.message
    await sleep(50)
  }
  throw new Error(`the API is not healthy: ${last}`)
}
