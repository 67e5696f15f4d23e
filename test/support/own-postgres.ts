import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.ts'
import { fastestFolder } from './fastest-folder.ts'
import { asRole, prepareTemplate, TEMPLATE, withDatabase } from './global-setup.ts'

/** A PostgreSQL for one test. It keeps every commit when it is killed. */
export interface OwnPostgres {
  /** The service's connection string of a migrated database. */
  url: string
  /** The superuser's URL of the server, without a database. */
  adminUrl: string
  /** Returns the process ids of the postmaster and its children. */
  pids(): Promise<number[]>
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts the server with the same data on the same port; resolves when it accepts connections. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL that does not wait for the disk: tests kill only the server, not the machine. */
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
