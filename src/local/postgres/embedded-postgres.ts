import { mkdir, realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../start/free-port.ts'
import { clusterPassword, ensureCluster } from './cluster.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { findHome, type Home } from './home.ts'
import { clearLeftovers } from './leftovers.ts'
import { type Postmaster, StartFailed, startPostmaster } from './postmaster.ts'
import { usableProgram } from './program.ts'
import { openServerLog } from './server-log.ts'
import { settingFlags } from './settings.ts'
import { noteOwner, refuseCopy } from './staged-homes.ts'

export { DataDirInUse } from './directory-lock.ts'

const ATTEMPTS = 50
const PAUSE_MS = 100

/** A PostgreSQL server of our own on 127.0.0.1. */
export interface EmbeddedPostgres {
  port: number
  /** The connection string of one of its databases, for the superuser. */
  url(database: string): string
  /** Settles with a few words when the server has ended, for whatever reason. */
  ended: Promise<string>
  /** Ends the server in an orderly way. It ends with our process anyway. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** False where data may be lost when the machine stops without warning: tests and the demo. */
  durable: boolean
  /** Settings of the server beyond ours; `port` asks for a port instead of a free one. */
  settings?: Record<string, string>
}

/**
 * Starts PostgreSQL with its data in `dataDir`, made at the first start. Works as an ordinary user and as root, with
 * nothing installed. The server ends with this process, however that ends, and does not keep it alive.
 * Throws DataDirInUse (message one line, names the directory) when another start holds the directory, and StartFailed
 * with the last lines of the server's log when it does not come up.
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
      await noteOwner(home.directory, { dataDir, durable: options.durable })
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
