import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../support/command-line.ts'

const run = promisify(execFile)
const WITHIN_MS = 120_000

type Environment = Record<string, string>

/** The service as a release installs it: what is checked in, with the packages of `npm ci --omit=dev`. */
export interface ProductionCopy {
  directory: string
  /** Runs a command of `flightline` to its end; returns what it printed. @throws Error when its code is not 0. */
  command(args: string[], env: Environment): Promise<string>
  /** Starts a process of it, and waits until the address answers that it is ready. */
  start(command: string, env: Environment, readyUrl: string): Promise<ProductionProcess>
}

export interface ProductionProcess {
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
  log(): string
}

/** What a release consists of. */
const SHIPPED = ['bin', 'src', 'migrations', 'docs', 'package.json', 'package-lock.json', '.npmrc', 'interface']

/** Makes one in a new folder, of a commit, or of what is checked in with the changes made since. */
export async function makeProductionCopy(commit?: string): Promise<ProductionCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'flightline-fleet-'))
  const files = commit
    ? `git archive ${commit} $(git ls-tree --name-only ${commit} ${SHIPPED.join(' ')})`
    : `git ls-files -z ${SHIPPED.join(' ')} | tar -c --null -T -`
  await run('bash', ['-o', 'pipefail', '-c', `${files} | tar -x -C '${directory}'`], { cwd: root })
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory })
  const bin = join(directory, 'bin/flightline.mjs')
  const surroundings = (env: Environment) => {
    const { PATH = '', HOME = '' } = process.env
    return { cwd: directory, env: { PATH, HOME, NODE_ENV: 'production', ...env } }
  }
  return {
    directory,
    async command(args, env) {
      const { stdout, stderr } = await run(process.execPath, [bin, ...args], surroundings(env))
      return stdout + stderr
    },
    async start(command, env, readyUrl) {
      const child = spawn(process.execPath, [bin, command], { ...surroundings(env), stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          said += chunk
        })
      }
      await untilReady(child, readyUrl, () => said)
      return {
        log: () => said,
        async stop() {
          const ended = once(child, 'exit')
          child.kill('SIGTERM')
          const [code] = await ended
          return code
        },
      }
    },
  }
}

/**
 * The release before this one: `DRILL_FROM`, else the newest tag, else the commit before the newest migration came. While the
 * baseline may still be edited, the commit that edited it last.
 * @throws Error in a shallow clone, which does not hold it
 */
export async function releaseBefore(): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
  const tag = process.env.DRILL_FROM ?? (await git('describe', '--tags', '--abbrev=0', 'HEAD^').catch(() => ''))
  if (tag) return git('rev-parse', '--short', `${tag}^{commit}`)
  const last = (change: string, files: string) =>
    git('log', '-1', `--diff-filter=${change}`, '--format=%h', '--', files)
  const baseline = await last('A', 'migrations/Migration*_booking_facts.ts')
  const [added, changed] = [await last('A', 'migrations/Migration*.ts'), await last('AM', 'migrations/Migration*.ts')]
  return added === changed && added !== baseline ? git('rev-parse', '--short', `${added}^`) : changed
}

async function untilReady(child: ChildProcess, url: string, said: () => string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < WITHIN_MS; await pause(100)) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said()}`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
  }
  child.kill('SIGKILL')
  throw new Error(`not ready: ${said()}`)
}
