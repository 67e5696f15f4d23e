import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backendsOf, isServerOf } from './server-processes.ts'

const SHUTDOWNS = [
  { signal: 'SIGINT', withinMs: 30_000 },
  { signal: 'SIGQUIT', withinMs: 10_000 },
] as const

/**
 * Clears what a start that was killed left of the cluster: a server on its way out, connections that outlived their
 * server, and a pid file that would block us. The caller holds the directory's lock, so nobody who lives uses them.
 * Throws when the server will not end.
 */
export async function clearLeftovers(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const [first, ...rest] = text.split('\n')
  const pid = Number(first)
  if (await isServerOf(pid, cluster)) return endServer(pid, cluster)
  // Busy ones notice the loss of their server late. Nothing that they still hold matters: recovery starts from the log.
  for (const backend of await backendsOf(cluster)) signalIfAlive(backend, 'SIGKILL')
  if (!(pid > 0)) return rm(file)
  // The number may be another process's by now, and PostgreSQL would wait for that one. Our own number it takes for a
  // leftover (a server's parent cannot be a server), and so it still looks at the shared memory that the file names.
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
