import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../local/servers/ports.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'

/** Returns the queue backends of this run: PostgreSQL with `npm test`, Redis with `npm run test:redis`. */
export function testedBackends(): QueueBackend['kind'][] {
  return [process.env.TEST_QUEUES === 'redis' ? 'redis' : 'postgres']
}

/** The variables that a backend adds to the environment of a process, and the function that stops it. */
export interface StartedBackend {
  env: Record<string, string>
  redis: TestRedis | null
  stop(): Promise<void>
}

/** A Redis for one test. */
export interface TestRedis {
  url: string
  pid(): number
  /** `kill -9`. */
  kill(): Promise<void>
  /**
   * Starts another on the same port, with more settings when they are given, and with the data that the previous one wrote
   * to disk: none unless it is durable.
   */
  restart(more?: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** Starts what a backend needs: nothing for PostgreSQL, otherwise a Redis. */
export async function startBackend(kind: QueueBackend['kind']): Promise<StartedBackend> {
  if (kind === 'postgres') return { env: {}, redis: null, stop: async () => {} }
  const redis = await startRedis()
  return { env: { REDIS_URL: redis.url }, redis, stop: redis.stop }
}

/** Starts a Redis on a free port. It writes to disk only when `durable` (AOF). `redis-server` must be on the PATH. */
export async function startRedis(options: { durable?: boolean } = {}): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'flightline-redis-'))
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', dir: directory, save: '', appendonly: options.durable ? 'yes' : 'no' }
  const url = `redis://127.0.0.1:${port}`
  let server: ChildProcess | undefined
  const restart = async (more: Record<string, string> = {}) => {
    const flags = Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [`--${name}`, String(value)])
    server = spawn('redis-server', flags, { stdio: 'ignore' })
    await answering(url, server)
  }
  const kill = async () => {
    if (server?.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  await restart()
  return {
    url,
    pid: () => server?.pid as number,
    kill,
    restart,
    async stop() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  client.on('error', () => {})
  const died = once(server, 'exit').then(() => {
    throw new Error('redis-server did not start')
  })
  try {
    await Promise.race([client.ping(), died])
  } finally {
    client.disconnect()
    died.catch(() => {})
  }
}
