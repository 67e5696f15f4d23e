import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/local/postgres/embedded-postgres.ts'
import { fastestFolder } from './fastest-folder.ts'
import { asRole, prepareTemplate, TEMPLATE, withDatabase } from './global-setup.ts'

/** A PostgreSQL of a test's own, which keeps every commit when it is killed. */
export interface OwnPostgres {
  /** A migrated database on it, as the service signs in to it. */
  url: string
  /** The server as its superuser, without the service's database. */
  adminUrl: string
  /** The server's processes: the postmaster and its children. */
  pids(): Promise<number[]>
  /** `kill -9`. */
  kill(): Promise<void>
  /** The same data on the same port; resolves when it takes connections. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts one. The disk of the machine is trusted to outlive the test: only the server is killed. */
export async function startOwnPostgres(settings: Record<string, string> = {}): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(await fastestFolder(), 'flightline-killed-'))
  await chmod(dataDir, 0o755)
  let server: EmbeddedPostgres
  const start = async (port: Record<string, string>) => {
    server = await startEmbeddedPostgres({ dataDir, durable: true, settings: { fsync: 'off', ...settings, ...port } })
  }
  await start({})
  const { port } = server!
  const base = server!.url('postgres')
  await prepareTemplate(base)
  const url = asRole(withDatabase(base, TEMPLATE), 'service')
  return {
    url,
    adminUrl: base,
    async pids() {
      const postmaster = await postmasterOf(base)
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
      return [postmaster, ...children.trim().split(/\s+/).map(Number)]
    },
    async kill() {
      process.kill(await postmasterOf(base), 'SIGKILL')
      await server.ended
    },
    restart: () => start({ port: String(port) }),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function postmasterOf(url: string): Promise<number> {
  const [row] = await query(url, 'show data_directory')
  return Number.parseInt(await readFile(join(row!.data_directory as string, 'postmaster.pid'), 'utf8'), 10)
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
