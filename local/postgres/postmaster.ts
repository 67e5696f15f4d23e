import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Home } from './home.ts'
import { spawnOptions } from './run-as.ts'
import type { ServerLog } from './server-log.ts'
import { startWatchdog } from './watchdog.ts'

const READY_WITHIN_MS = 120_000
const FAST_SHUTDOWN_MS = 30_000
const LOG_LINES_SHOWN = 20

/** Thrown when the server ended or did not become ready. The message ends with the last lines of its log. */
export class StartFailed extends Error {
  /**
   * Whether a retry can succeed: another process took the port first, or the backends of a killed server still use its
   * shared memory.
   */
  readonly mayPass: boolean

  constructor(reason: string, log: string) {
    super(`PostgreSQL did not start: ${reason}\n${log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')}`)
    this.name = 'StartFailed'
    this.mayPass = /Address already in use|pre-existing shared memory block/.test(log)
  }
}

/** A running server. */
export interface Postmaster {
  /** Resolves with a short reason when the server has ended. */
  ended: Promise<string>
  /** Fast shutdown: open transactions are rolled back. Safe to call repeatedly. */
  stop(): Promise<void>
}

/**
 * Starts the server of a home's cluster and resolves when it accepts connections. The server has its own session, so
 * that Ctrl-C in a terminal does not reach it. It ends with this process and does not keep it running.
 * @throws StartFailed when the server does not become ready.
 */
export async function startPostmaster(
  home: Home,
  program: string,
  flags: string[],
  log: ServerLog,
): Promise<Postmaster> {
  const watchdog = await startWatchdog(home.runAs)
  const server = spawn(join(program, 'bin', 'postgres'), ['-D', home.cluster, ...flags], {
    ...spawnOptions(home.runAs),
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
  })
  if (server.pid !== undefined) watchdog.watch(server.pid)
  const ended = endOf(server).finally(() => watchdog.release())
  await untilReady(server, home.cluster, ended, log)
  server.unref()
  return { ended, stop: () => stop(server, ended) }
}

function endOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    server.on('error', (error) => {
      if (server.pid === undefined) resolve(error.message)
    })
    server.on('exit', (code, signal) => resolve(signal === null ? `it ended with code ${code}` : `ended by ${signal}`))
  })
}

async function untilReady(server: ChildProcess, cluster: string, ended: Promise<string>, log: ServerLog) {
  let reason: string | undefined
  void ended.then((words) => {
    reason = words
  })
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await isReady(server, cluster))) {
    if (reason !== undefined) throw new StartFailed(reason, await log.written())
    if (performance.now() > deadline) {
      server.kill('SIGQUIT')
      await ended
      throw new StartFailed(`it was not ready within ${READY_WITHIN_MS / 1000} seconds`, await log.written())
    }
    await sleep(10)
  }
}

/**
 * Returns whether the server accepts connections. Its pid file has its process id in the first line and its state in
 * the eighth.
 */
async function isReady(server: ChildProcess, cluster: string): Promise<boolean> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready'
}

async function stop(server: ChildProcess, ended: Promise<string>): Promise<void> {
  server.ref()
  server.kill('SIGINT')
  const impatience = setTimeout(() => server.kill('SIGQUIT'), FAST_SHUTDOWN_MS)
  await ended
  clearTimeout(impatience)
}
