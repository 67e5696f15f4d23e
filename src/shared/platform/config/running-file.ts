import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Environment = Record<string, string | undefined>

interface Running {
  pid: number
  environment: Environment
}

/** Returns the path of the file in the data directory of the all-in-one, which also has its secrets. Only the owner can read it. */
const fileIn = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Writes the settings of the running all-in-one into its data directory, so that commands can reach its database and
 * stand-ins. Returns a function that deletes the file.
 */
export async function noteRunning(dataDir: string, environment: Environment): Promise<() => Promise<void>> {
  const file = fileIn(dataDir)
  await rm(file, { force: true })
  await writeFile(file, JSON.stringify({ pid: process.pid, environment } satisfies Running), {
    mode: 0o600,
    flag: 'wx',
  })
  return () => rm(file, { force: true })
}

/** Returns the settings of the all-in-one that runs on a data directory; an empty object when no process does. */
export function settingsOfRunning(dataDir: string): Environment {
  try {
    const { pid, environment } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Running
    process.kill(pid, 0)
    return environment
  } catch {
    return {}
  }
}
