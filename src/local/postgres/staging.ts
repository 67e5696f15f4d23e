import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canKeepFilesIn } from './ownership.ts'
import { isRoot, type RunAs } from './run-as.ts'

/**
 * The directory for what that user cannot reach where it is: programs and clusters. The first of a few places that is
 * ours alone to write and in which that user can keep files. Throws when there is none.
 */
export async function stagingDirectory(runAs: RunAs): Promise<string> {
  const places = candidates()
  for (const place of places) {
    if ((await isOurs(place)) && (await canKeepFilesIn(place, runAs))) return place
  }
  throw new Error(`PostgreSQL needs a directory that uid ${runAs.uid ?? 'ours'} can reach; tried ${places.join(', ')}.`)
}

/** A place that survives a restart of the machine comes before one that may not. */
function candidates(): string[] {
  if (!isRoot()) return [join(tmpdir(), `flightline-${process.geteuid?.() ?? 'user'}`)]
  return ['/var/lib/flightline', '/var/tmp/flightline', join(tmpdir(), 'flightline')]
}

/** In a directory that all may write, somebody else can have put one of our name there first, with their programs. */
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
