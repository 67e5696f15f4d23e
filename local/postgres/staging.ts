import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canKeepFilesIn } from './ownership.ts'
import { isRoot, type RunAs } from './run-as.ts'

/**
 * Returns the directory for copies of programs and clusters that PostgreSQL's user cannot reach: the first candidate to
 * which only this process's user can add files, and in which PostgreSQL's user can write to a subdirectory of its own.
 * @throws Error when there is none.
 */
export async function stagingDirectory(runAs: RunAs): Promise<string> {
  const places = candidates()
  for (const place of places) {
    if ((await isOurs(place)) && (await canKeepFilesIn(place, runAs))) return place
  }
  throw new Error(`PostgreSQL needs a directory that uid ${runAs.uid ?? 'ours'} can reach; tried ${places.join(', ')}.`)
}

/** Returns the candidates. Directories that survive a restart of the machine are first. */
function candidates(): string[] {
  if (!isRoot()) return [join(tmpdir(), `flightline-${process.geteuid?.() ?? 'user'}`)]
  return ['/var/lib/flightline', '/var/tmp/flightline', join(tmpdir(), 'flightline')]
}

/**
 * Creates the directory when it is missing, and returns whether only this process's user can write it. In a
 * world-writable parent, another user can have created it first, with programs in it.
 */
async function isOurs(place: string): Promise<boolean> {
  try {
    await mkdir(place, { recursive: true })
    const found = await lstat(place)
    if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & 0o022) !== 0) return false
    await chmod(place, 0o755)
    return true
  } catch {
    return false
  }
}
