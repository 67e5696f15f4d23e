import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/** Thrown when another process uses the data directory. The message is one line and names the directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`The data directory ${dataDir} is in use by another start. Stop that one, or choose another directory.`)
    this.name = 'DataDirInUse'
  }
}

/** A lock on a directory: no other process can use the directory until `release` is called or this process ends. */
export interface DirectoryLock {
  release(): void
}

/**
 * Locks `directory` for this process.
 * The lock is an exclusive SQLite transaction: the one lock in Node that the kernel releases when the process ends, so
 * there are no stale locks and no process ids to check. The file must never be opened in any other way: closing it
 * would release the lock.
 * @throws DataDirInUse naming `dataDir` when a running process holds the lock.
 * @throws Error when the directory is not writable.
 */
export function lockDirectory(directory: string, dataDir = directory): DirectoryLock {
  const file = join(directory, 'postgres.lock')
  let database: DatabaseSync | undefined
  try {
    createOnce(file)
    database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new DataDirInUse(dataDir)
    throw new Error(`The data directory ${dataDir} cannot be locked: ${(error as Error).message}`, { cause: error })
  }
  const held = database
  return {
    release() {
      if (held.isOpen) held.close()
    },
  }
}

function createOnce(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
