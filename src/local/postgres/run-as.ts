import { type ExecFileException, execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveTo } from './ownership.ts'

/** Who PostgreSQL runs as: the ids to change to, or neither when an ordinary user runs it as themselves. */
export interface RunAs {
  uid?: number
  gid?: number
}

/** True when we are root, as whom PostgreSQL refuses to run. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * How every program of PostgreSQL is spawned: as the given user, with none of our secrets in its environment, with
 * messages that do not depend on the machine's language, and in a directory that any user can be in.
 */
export function spawnOptions(runAs: RunAs) {
  const env: NodeJS.ProcessEnv = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C', TZ: 'UTC' }
  return { ...runAs, env, cwd: '/' }
}

/** Runs a program to its end and answers whether it succeeded, with all that it printed. Never throws. */
export function run(file: string, args: string[], runAs: RunAs = {}): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const printed = `${stdout}${stderr}`.trim()
      resolve({ ok: error === null, output: printed || (error?.message ?? '') })
    }
    try {
      execFile(file, args, spawnOptions(runAs), done)
    } catch (error) {
      done(error as ExecFileException, '', '')
    }
  })
}

/**
 * True when that user can keep files below `directory`: a directory of theirs is made in it and they write there. Modes
 * alone do not tell, with access lists, read-only mounts and parents that are closed to them.
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
