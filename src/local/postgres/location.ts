import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the path of the text file that names the cluster's directory when it is outside the data directory. */
export function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-location.txt')
}

/** Returns the cluster's directory; undefined when it is the data directory itself. */
export async function locationOf(dataDir: string): Promise<string | undefined> {
  const text = await readFile(locationFile(dataDir), 'utf8').catch(() => '')
  return text.trim() || undefined
}

/** Stores `home` as the cluster's directory. A rename makes the write atomic. */
export async function writeLocation(dataDir: string, home: string): Promise<void> {
  const file = locationFile(dataDir)
  await writeFile(`${file}.new`, `${home}\n`)
  await rename(`${file}.new`, file)
}
