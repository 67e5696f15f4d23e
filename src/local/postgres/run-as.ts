import { type ExecFileException, execFile } from 'node:child_process'

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
