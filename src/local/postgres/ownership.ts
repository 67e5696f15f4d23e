import { chown, lchown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunAs } from './run-as.ts'

/** Makes that user the owner of one file or directory; nothing to do when we run as ourselves. */
export async function giveTo(runAs: RunAs, path: string): Promise<void> {
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(path, runAs.uid, runAs.gid)
}

/** Makes that user the owner of a directory and of all below it; nothing to do when we run as ourselves. */
export async function giveTreeTo(runAs: RunAs, directory: string): Promise<void> {
  const { uid, gid } = runAs
  if (uid === undefined || gid === undefined) return
  await chown(directory, uid, gid)
  const entries = await readdir(directory, { recursive: true })
  for (const entry of entries) await lchown(join(directory, entry), uid, gid)
}
