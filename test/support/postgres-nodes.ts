import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { giveTo } from '../../local/postgres/ownership.ts'
import { run, spawnOptions } from '../../local/postgres/run-as.ts'
import { userFor } from '../../local/postgres/unprivileged-user.ts'
import { freePort } from '../../local/servers/ports.ts'
import { until } from './eventually.ts'
import { fastestFolder } from './fastest-folder.ts'

/** One of the servers of a drill. It keeps every commit when it is killed. */
export interface PostgresNode {
  port: number
  /** The superuser's URL of a database. */
  url(database?: string): string
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Makes this node's cluster, and starts it as a primary. */
  create(): Promise<void>
  /** Makes this node, which does not run, a copy of a running one, and starts it as its standby. */
  copyOf(primary: PostgresNode): Promise<void>
  /** Starts this node, which was the primary and does not run, as the standby of the promoted one. */
  follow(primary: PostgresNode): Promise<void>
  /** Ends recovery: the standby accepts writes when this resolves. */
  promote(): Promise<void>
  /** `kill -9` of the server and all its processes. */
  kill(): Promise<void>
  /** Starts it again as it was. */
  restart(): Promise<void>
  /** Stops the server and all its processes without ending them, and lets them go on. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** The processes that send the log to a standby. */
export const STREAMING = `select pid from pg_stat_replication where state = 'streaming'`

const USER = 'postgres'
const WITHIN_MS = 60_000
/** Without waiting for the disk: drills kill only the servers, not the machine. In the file, since `pg_rewind` starts the server too. */
const settings = Object.entries({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  wal_keep_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
})
  .map(([name, value]) => `${name} = '${value}'\n`)
  .join('')

/** Returns the programs of Debian's newest PostgreSQL. */
export function debianPrograms(): string {
  const version = (path: string) => Number(path.split('/').at(-3))
  const [newest] = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').sort(
    (one, other) => version(other) - version(one),
  )
  if (!newest) throw new Error('no PostgreSQL of Debian is installed: apt-get install postgresql')
  return dirname(newest)
}

/** Creates a node that does not run, in a new folder. `programs` is the folder of `postgres` and `initdb`. */
export async function makeNode(programs: string): Promise<PostgresNode> {
  const folder = await mkdtemp(join(await fastestFolder(), 'flightline-node-'))
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const runAs = await userFor(data)
  await mkdir(data, { mode: 0o700 })
  await giveTo(runAs, data)
  const port = await freePort()
  const program = async (name: string, args: string[]) => {
    const { ok, output } = await run(join(programs, name), args, runAs)
    if (!ok) throw new Error(`${name}: ${output}`)
  }
  let server: ChildProcess | undefined
  const url = (database = 'postgres') => `postgresql://${USER}@127.0.0.1:${port}/${database}`
  const query: PostgresNode['query'] = async (text, values) => {
    const client = new pg.Client({ connectionString: url() })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  const start = async () => {
    const started = spawn(join(programs, 'postgres'), ['-D', data, '-c', `port=${port}`], {
      ...spawnOptions(runAs),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    let said = ''
    started.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-2_000)
    })
    for (const since = performance.now(); ; await pause(50)) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`)
      const answered = await query('select 1').catch((error: Error) => error)
      if (!(answered instanceof Error)) return
      if (performance.now() - since > WITHIN_MS)
        throw new Error(`PostgreSQL does not answer (${answered.message}): ${said}`)
    }
  }
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').catch(() => '')
    for (const pid of [server.pid!, ...children.trim().split(/\s+/).filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // A process that has ended meanwhile.
      }
    }
    await ended
  }
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const children = readFileSync(`/proc/${server!.pid}/task/${server!.pid}/children`, 'utf8')
    for (const pid of [server!.pid!, ...children.trim().split(/\s+/).filter(Boolean).map(Number)])
      process.kill(pid, name)
  }
  return {
    port,
    url,
    query,
    kill,
    restart: start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async create() {
      await program('initdb', [
        '-D',
        data,
        '-U',
        USER,
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '-k',
        '--no-sync',
      ])
      await appendFile(join(data, 'postgresql.conf'), settings)
      await start()
    },
    async copyOf(primary) {
      await program('pg_basebackup', ['-d', primary.url(), '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
      await start()
    },
    async follow(primary) {
      // Before its first checkpoint a promoted server has the old timeline in its control file, and pg_rewind does nothing.
      await primary.query('checkpoint')
      await program('pg_rewind', ['-D', data, `--source-server=${primary.url()}`, '-R', '--no-sync'])
      await start()
      await until(async () => (await primary.query(STREAMING)).length > 0)
    },
    async promote() {
      await query('select pg_promote(true, 30)')
    },
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
