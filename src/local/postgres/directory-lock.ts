import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/** Another start holds the data directory. The message is one line and names the directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`The data directory ${dataDir} is in use by another start. Stop that one, or choose another directory.`)
    this.name = 'DataDirInUse'
  }
}

/** A directory that this process alone may use until it releases it or ends. */
export interface DirectoryLock {
  release(): void
}

/**
 * Takes `directory` for this process. Throws DataDirInUse, naming `dataDir`, when a process that lives has it, and another error when we may not write there.
 *
 * An exclusive SQLite transaction is the one lock in Node that the kernel lets go of at the holder's death, so there
 * is no stale lock and no process id to judge. The file must never be opened in any other way: closing it would drop
 * the lock of the whole process.
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
