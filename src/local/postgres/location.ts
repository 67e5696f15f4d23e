import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The text file in a data directory that says where its cluster lives, when that is not the directory itself. */
export function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-location.txt')
}

/** Where the data directory says that its cluster lives, or undefined when it lives in the directory itself. */
export async function locationOf(dataDir: string): Promise<string | undefined> {
  const text = await readFile(locationFile(dataDir), 'utf8').catch(() => '')
  return text.trim() || undefined
}

/** Says in the data directory that its cluster lives in `home`. The text appears whole or not at all. */
export async function writeLocation(dataDir: string, home: string): Promise<void> {
  const file = locationFile(dataDir)
  await writeFile(`${file}.new`, `${home}\n`)
  await rename(`${file}.new`, file)
}
