import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.ts'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { fastestFolder } from './fastest-folder.ts'
import { judgeErrors } from './judge-errors.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the tests' PostgreSQL, with credentials and without a database name. */
    postgresUrl: string
  }
}

export const TEMPLATE = 'flightline_template'
/** The prefix of the databases of test files. */
export const CLONE = 'flightline_test_'

/**
 * Settings without durability and statistics: no database outlives the run, so none has to be vacuumed or written to
 * disk.
 */
const forgetful = {
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
  scram_iterations: '1',
  // A test file with workers needs up to thirty connections.
  max_connections: '500',
  track_counts: 'off',
  update_process_title: 'off',
  // A prepared statement is planned once a connection, not at each of its first five runs.
  plan_cache_mode: 'force_generic_plan',
}

/**
 * Starts one PostgreSQL for the whole run, with a template database that each test file clones. `TEST_DATABASE_URL`
 * names another server to use; its user must be allowed to create databases and roles.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const dataDir = await mkdtemp(join(await fastestFolder(), 'flightline-test-'))
  // When root runs the tests, PostgreSQL runs as another user, who needs access.
  await chmod(dataDir, 0o755)
  const sockets = await socketFolder(dataDir)
  const settings = { ...forgetful, unix_socket_directories: sockets }
  const server = given ? undefined : await startEmbeddedPostgres({ dataDir, durable: false, settings })
  const base = given ?? overSocket(server?.url('postgres') ?? '', sockets)
  await prepareTemplate(base)
  project.provide('postgresUrl', base)
  const raisedErrors = join(dataDir, 'raised-errors')
  await writeFile(raisedErrors, '')
  project.provide('raisedErrors', raisedErrors)
  return async () => {
    const others = leftOut()
    if (others.length > 0) console.log(`left out: ${others.join('; ')}`)
    try {
      await judgeErrors(project, raisedErrors)
    } finally {
      if (given) await dropClones(base)
      await server?.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

/** Creates a folder in which PostgreSQL's user can create its socket. */
async function socketFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'sockets')
  await mkdir(folder)
  await chmod(folder, 0o777)
  return folder
}

/**
 * Returns the URL of the same server through its Unix socket: over TCP, a fifth of a test's time is spent on writes to
 * the socket.
 */
function overSocket(url: string, folder: string): string {
  return url.replace('@127.0.0.1:', `@${encodeURIComponent(folder)}:`)
}

/** Returns the groups of tests that this run leaves to other commands. */
function leftOut(): string[] {
  const { TEST_QUEUES, TEST_PROCESSES, TEST_ENDPOINTS } = process.env
  if (TEST_QUEUES || TEST_PROCESSES || TEST_ENDPOINTS) return []
  return [
    'the walks over every endpoint (npm run test:endpoints)',
    'faults, and processes that are killed (npm run test:processes)',
    'queues in Redis (npm run test:redis, needs redis-server)',
  ]
}

async function dropClones(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [CLONE],
  )
  for (const { name } of rows) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}

/** Creates the migrated template on a server. Its owner is not a superuser, and the service's role owns nothing. */
export async function prepareTemplate(base: string): Promise<void> {
  const admin = new pg.Client({ connectionString: base })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [roles.owner])
  if (!rowCount) await admin.query(`create role ${roles.owner} login createrole password '${roles.owner}'`)
  // Only a member of a role or a superuser may create databases for the role.
  await admin.query(`grant ${roles.owner} to current_user`)
  await admin.query(`create database ${TEMPLATE} owner ${roles.owner}`)
  await admin.end()
  const url = withDatabase(base, TEMPLATE)
  await migrate({ ownerUrl: asRole(url, 'owner'), serviceUrl: asRole(url, 'service'), print: () => undefined })
  await signInQuickly(base)
}

/** Sets the passwords with the server's few SCRAM iterations, because tests connect thousands of times. */
async function signInQuickly(base: string): Promise<void> {
  const admin = new pg.Client({ connectionString: base })
  await admin.connect()
  for (const role of Object.values(roles)) await admin.query(`alter role ${role} password '${role}'`)
  await admin.end()
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

/** The owner of the tests' tables, and the role of the service. The password of each is its name. */
export const roles = { owner: 'flightline_test_owner', service: 'flightline_test_service' }

/** Returns the URL of the same database for another role. */
export function asRole(url: string, role: keyof typeof roles): string {
  const changed = new URL(url)
  changed.username = roles[role]
  changed.password = roles[role]
  return changed.href
}
