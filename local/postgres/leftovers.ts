import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './run-as.ts'

const SHUTDOWNS = [
  { signal: 'SIGINT', withinMs: 30_000 },
  { signal: 'SIGQUIT', withinMs: 10_000 },
] as const

/**
 * Removes the leftovers of a killed run: a server that is shutting down, backends without a server, and a pid file that
 * blocks the start. The caller holds the directory's lock, so no live process uses them.
 * @throws Error when the server does not end.
 */
export async function clearLeftovers(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const [first, ...rest] = text.split('\n')
  const pid = Number(first)
  if (await isServerOf(pid, cluster)) return endServer(pid, cluster)
  // Busy backends can outlive their server. Their work is lost in any case: recovery reads only the log.
  for (const backend of await backendsOf(cluster)) signalIfAlive(backend, 'SIGKILL')
  if (!(pid > 0)) return rm(file)
  // The pid can belong to another process now, and PostgreSQL would wait for that process. PostgreSQL treats the pid of
  // this process as stale (a server's parent cannot be a server), and still checks the shared memory that the file
  // names.
  await writeFile(file, [process.pid, ...rest].join('\n'))
}

async function endServer(pid: number, cluster: string): Promise<void> {
  for (const { signal, withinMs } of SHUTDOWNS) {
    signalIfAlive(pid, signal)
    const deadline = performance.now() + withinMs
    while (performance.now() < deadline) {
      if (!(await isServerOf(pid, cluster))) return
      await sleep(20)
    }
  }
  throw new Error(`A PostgreSQL server of an earlier start (process ${pid}) does not end; end it and start again.`)
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whether process `pid` is the cluster's PostgreSQL server, by its command line. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (existsSync('/proc/self/cmdline')) return (await commandLine(pid)).includes(`\0-D\0${cluster}\0`)
  const { ok, output } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])
  return ok && `${output} `.includes(` -D ${cluster} `)
}

/**
 * Returns the pids of the cluster's backends, recognized by name and working directory; none on systems without /proc.
 */
async function backendsOf(cluster: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const backends: number[] = []
  for (const pid of names.map(Number).filter(Number.isInteger)) {
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (directory === cluster && (await commandLine(pid)).startsWith('postgres: ')) backends.push(pid)
  }
  return backends
}

function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}
