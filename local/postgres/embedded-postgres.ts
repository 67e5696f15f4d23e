import { mkdir, realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../servers/ports.ts'
import { clusterPassword, ensureCluster } from './cluster.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { findHome, type Home } from './home.ts'
import { clearLeftovers } from './leftovers.ts'
import { type Postmaster, StartFailed, startPostmaster } from './postmaster.ts'
import { usableProgram } from './program.ts'
import { openServerLog } from './server-log.ts'
import { recordOwner, refuseCopy } from './staged-homes.ts'

export { DataDirInUse } from './directory-lock.ts'

const ATTEMPTS = 50
const PAUSE_MS = 100

/** Settings with enough connections for the API, the workers and a test run, within a laptop's memory. */
const ALWAYS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  shared_preload_libraries: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
}

/** Settings with which the server does not wait for the disk. A crash of the machine (not of the server alone) can lose data. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** An embedded PostgreSQL server on 127.0.0.1. */
export interface EmbeddedPostgres {
  port: number
  /** Returns the superuser's connection string of a database. */
  url(database: string): string
  /** Resolves with a short reason when the server has ended. */
  ended: Promise<string>
  /** Shuts the server down cleanly. Without a call, the server ends when this process ends. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** False when data may be lost in a crash of the machine: tests and the demo. */
  durable: boolean
  /** Additional server settings; `port` requests that port instead of a free one. */
  settings?: Record<string, string>
}

/**
 * Starts PostgreSQL with its data in `dataDir`, which is created at the first start. Works as an ordinary user and as
 * root, without installed software. The server ends with this process, and does not keep it alive.
 * @throws DataDirInUse when another process uses the directory.
 * @throws StartFailed with the last lines of the server's log when the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const locks: DirectoryLock[] = [lockDirectory(dataDir)]
  const unlock = () => {
    for (const lock of locks) lock.release()
  }
  try {
    const home = await findHome(dataDir, options.durable)
    if (home.directory !== dataDir) {
      await refuseCopy(home.directory, dataDir)
      locks.push(lockDirectory(home.directory, dataDir))
      await recordOwner(home.directory, { dataDir, durable: options.durable })
    }
    const program = await usableProgram(home.runAs)
    await clearLeftovers(home.cluster)
    const password = await clusterPassword(dataDir, home.cluster)
    await ensureCluster(home, program, password, options.durable)
    const { postmaster, port } = await startOnSomePort(home, program, dataDir, options)
    void postmaster.ended.then(unlock)
    return {
      port,
      url: (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
      ended: postmaster.ended,
      stop: postmaster.stop,
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function startOnSomePort(
  home: Home,
  program: string,
  dataDir: string,
  options: EmbeddedPostgresOptions,
): Promise<{ postmaster: Postmaster; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = Number(options.settings?.port ?? (await freePort()))
    const flags = settingFlags(port, options.durable, options.settings ?? {})
    const log = openServerLog(dataDir)
    try {
      return { postmaster: await startPostmaster(home, program, flags, log), port }
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof StartFailed) || !error.mayPass) throw error
      await sleep(PAUSE_MS)
    } finally {
      log.close()
    }
  }
}

/** Returns the server's settings as command line flags; the caller's `settings` override the defaults. */
function settingFlags(port: number, durable: boolean, settings: Record<string, string>): string[] {
  const all = { ...ALWAYS, ...(durable ? {} : NOT_DURABLE), ...settings, port: String(port) }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
