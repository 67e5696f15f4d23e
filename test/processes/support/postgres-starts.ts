import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../local/postgres/embedded-postgres.ts'
import { isServerOf } from '../../../local/postgres/leftovers.ts'
import { fastestFolder } from '../../support/fastest-folder.ts'

const MODULE = new URL('../../../local/postgres/embedded-postgres.ts', import.meta.url).href

/** What the running test must undo, done in reverse when it ends. */
export const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A directory that every user of the machine can reach, with the mode asked for. */
export async function directory(mode = 0o755): Promise<string> {
  const made = await mkdtemp(join(await fastestFolder(), 'embedded-postgres-'))
  await chmod(made, mode)
  cleanups.push(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Starts a server, not durable unless asked, that stops when the test ends. */
export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, ...options })
  cleanups.push(() => server.stop())
  return server
}

/** The rows of one statement, each an array of its columns. */
export async function query(server: { url(database: string): string }, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: server.url('postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Another Node process that starts the server and stays; its first line says where the server is. */
export async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; said: string }> {
  const script = `const { startEmbeddedPostgres } = await import(process.argv[1])
    await startEmbeddedPostgres({ dataDir: process.argv[2], durable: true }).then(
      (server) => { console.log(server.url('postgres')); setInterval(() => undefined, 60_000) },
      (error) => console.log(error.name + ': ' + error.message))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, MODULE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  cleanups.push(async () => {
    child.kill('SIGKILL')
  })
  const [said] = await once(child.stdout!, 'data')
  return { child, said: String(said).trim() }
}

/** The process id of the server of a data directory that holds its own cluster. */
export async function serverProcess(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Waits for a server's end; a process that is dead but not yet collected by its parent has ended. */
export async function untilEnded(server: number, dataDir: string): Promise<void> {
  while (await isServerOf(server, join(dataDir, 'postgres'))) await sleep(20)
}
