import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FULL_AT_BYTES = 10_000_000

/** The log file of the database server in the data directory. Each start of the server opens it anew. */
export interface ServerLog {
  descriptor: number
  /** Returns the text that was written since the log was opened. */
  written(): Promise<string>
  close(): void
}

/** Opens `postgres.log` for appending; a file above 10 MB is renamed to `postgres.log.1` first. */
export function openServerLog(dataDir: string): ServerLog {
  const file = join(dataDir, 'postgres.log')
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > FULL_AT_BYTES) renameSync(file, `${file}.1`)
  const descriptor = openSync(file, 'a', 0o600)
  const start = fstatSync(descriptor).size
  return {
    descriptor,
    written: async () => (await readFile(file)).subarray(start).toString('utf8'),
    close: () => closeSync(descriptor),
  }
}
