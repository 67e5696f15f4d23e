import { type ExecFileException, execFile } from 'node:child_process'

/** The user and group that PostgreSQL runs as; absent when an ordinary user runs it. */
export interface RunAs {
  uid?: number
  gid?: number
}

/** Whether this process runs as root. PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * Returns the spawn options of PostgreSQL's programs: the given user, an environment without secrets, messages in
 * English, and a working directory that any user can enter.
 */
export function spawnOptions(runAs: RunAs) {
  const env: NodeJS.ProcessEnv = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C', TZ: 'UTC' }
  return { ...runAs, env, cwd: '/' }
}

/** Runs a program and returns whether it succeeded, with its output. Never throws. */
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
