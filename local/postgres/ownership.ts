import { chown, lchown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunAs, run } from './run-as.ts'

/** Makes the user the owner of one file or directory; does nothing without a user id. */
export async function giveTo(runAs: RunAs, path: string): Promise<void> {
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(path, runAs.uid, runAs.gid)
}

/** Makes the user the owner of a directory tree; does nothing without a user id. */
export async function giveTreeTo(runAs: RunAs, directory: string): Promise<void> {
  const { uid, gid } = runAs
  if (uid === undefined || gid === undefined) return
  await chown(directory, uid, gid)
  const entries = await readdir(directory, { recursive: true })
  for (const entry of entries) await lchown(join(directory, entry), uid, gid)
}

/**
 * Returns whether the user can write files below `directory`. It writes a file to find out, because file modes do not
 * show access lists, read-only mounts and closed parent directories.
 */
export async function canKeepFilesIn(directory: string, runAs: RunAs): Promise<boolean> {
  const probe = await mkdtemp(join(directory, 'probe-')).catch(() => undefined)
  if (probe === undefined) return false
  try {
    await giveTo(runAs, probe)
    return (await run('/bin/sh', ['-c', 'cd "$1" && : > written', 'sh', probe], runAs)).ok
  } catch {
    return false
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
}
