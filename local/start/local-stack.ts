import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { type Config, readConfig, required } from '../../src/shared/platform/config/config.ts'
import { noteRunning } from '../../src/shared/platform/config/running-file.ts'
import { freePort } from '../servers/ports.ts'
import { type BackingServices, localUrl, startBackingServices } from './backing-services.ts'
import { type Environment, startServiceProcess } from './service-process.ts'
import type { ShutdownSequence } from './shutdown-sequence.ts'

/** The whole service on one machine, running and healthy. */
export interface LocalStack {
  /** The configuration of its processes. */
  config: Config
  /** The URL of the API for requests from this machine. */
  apiUrl: string
  inboxUrl: string | null
  simulatorUrl: string | null
  receiverUrl: string
  logDirectory: string
  /** Resolves with one line when a process ends unexpectedly, or the embedded database ends and is not restarted. */
  exited: Promise<string>
}

export interface LocalStackOptions {
  /** False when data may be lost in a crash of the machine. */
  durable: boolean
  /** Runs on the migrated database before the processes start. */
  prepare?: (config: Config, services: BackingServices) => Promise<void>
}

const HEALTHY_WITHIN_MS = 30_000

/**
 * Starts the backing services that the environment does not name, migrates the schema, and starts the API and the
 * workers as processes. Resolves when the API is healthy.
 * @throws Error of one line with the reason. The caller then stops the running parts, through `parts`.
 */
export async function startLocalStack(
  given: Environment,
  options: LocalStackOptions,
  parts: ShutdownSequence,
): Promise<LocalStack> {
  const wanted = readConfig(given, { HOST: '127.0.0.1' })
  if (wanted.PORT === 0) return startLocalStack({ ...given, PORT: String(await freePort()) }, options, parts)
  const logDirectory = resolve(wanted.DATA_DIR, 'log')
  await mkdir(logDirectory, { recursive: true })
  const services = await startBackingServices(wanted, options, parts)
  const environment = {
    ...given,
    ...services.environment,
    MIGRATION_DATABASE_URL: undefined,
    INBOX_URL: services.inboxUrl ?? undefined,
  }
  const config = readConfig(environment, { HOST: wanted.HOST })
  await migrate({
    ownerUrl: services.ownerUrl,
    serviceUrl: required(config, 'DATABASE_URL'),
    print: (line) => process.stderr.write(`flightline: ${line}\n`),
  })
  await options.prepare?.(config, services)
  const note = {
    ...services.environment,
    MIGRATION_DATABASE_URL: services.ownerUrl,
    PUBLIC_URL: config.PUBLIC_URL,
  }
  await parts.add('note', await noteRunning(config.DATA_DIR, note))
  const start = async (name: 'api' | 'workers', command: string) => {
    const process = await startServiceProcess({ name, command, environment, logDirectory })
    await parts.add(name, process.stop)
    return process
  }
  const processes = await Promise.all([start('api', 'local-api'), start('workers', 'worker')])
  const apiUrl = localUrl(config)
  await untilHealthy(apiUrl)
  const { inboxUrl, simulatorUrl, receiverUrl } = services
  return {
    config,
    apiUrl,
    inboxUrl,
    simulatorUrl,
    receiverUrl,
    logDirectory,
    exited: Promise.race([...processes, services].map((part) => part.exited)),
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
