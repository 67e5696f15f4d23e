import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { run } from './run-as.ts'

/** Whether process `pid` is the cluster's PostgreSQL server, by its command line. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (existsSync('/proc/self/cmdline')) return (await commandLine(pid)).includes(`\0-D\0${cluster}\0`)
  const { ok, output } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])
  return ok && `${output} `.includes(` -D ${cluster} `)
}

/**
 * Returns the pids of the cluster's backends, recognized by name and working directory; none on systems without /proc.
 */
export async function backendsOf(cluster: string): Promise<number[]> {
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
