import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local/servers/ports.ts'
import type { Config } from '../../src/shared/platform/config/config.ts'
import type { QueueName } from '../../src/shared/platform/contracts/define-job.ts'

/** A real process of the service. It ends with the test, even when the test is killed. */
export interface TestProcess {
  pid: number
  /** `kill -9`; resolves when the process has ended. */
  kill(): Promise<void>
  /** Sends SIGTERM. Returns the exit code. */
  terminate(): Promise<number | null>
  isAlive(): boolean
  /** Waits until the process exits by itself. Returns the exit code. */
  ended(): Promise<number | null>
  /** Returns its log, when its level is not `silent`. */
  log(): string
}

/** An API process and its URL. */
export interface ApiProcess extends TestProcess {
  url: string
}

/** Starts an API process on the database, queues and payment gateway of a test. */
export async function startApiProcess(
  config: Config,
  env: Record<string, string> = {},
  hear?: Hear,
): Promise<ApiProcess> {
  const port = await freePort()
  const started = await start(['api'], { ...asEnvironment(config), PORT: String(port), ...env }, hear)
  return { ...started, url: `http://127.0.0.1:${port}` }
}

/** Starts a worker process for all queues or the named ones. */
export function startWorkerProcess(
  config: Config,
  env: Record<string, string> = {},
  queues: readonly QueueName[] = [],
  hear?: Hear,
): Promise<TestProcess> {
  return start(['worker', ...queues], { ...asEnvironment(config), ...env }, hear)
}

/** Returns the environment that contains this configuration. */
export function asEnvironment(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** Receives the output of a process. */
type Hear = (text: string) => void

async function start(
  command: readonly string[],
  env: Record<string, string>,
  hear: Hear = () => undefined,
): Promise<TestProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/flightline.mjs'), ...command], {
    env: { ...env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'flightline-compiled') },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk
      hear(chunk.toString())
    })
  }
  const exited = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error(`flightline ${command[0]} ended at once: ${said}`)
    }),
  ])
  exited.catch(() => {})
  return {
    pid: child.pid as number,
    kill: async () => {
      await end(child, 'SIGKILL', exited)
    },
    terminate: () => end(child, 'SIGTERM', exited),
    ended: () => exited.then(() => child.exitCode),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    log: () => said,
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals, exited: Promise<unknown>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  await exited
  return child.exitCode
}
