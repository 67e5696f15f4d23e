import { createWriteStream } from 'node:fs'
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Config, required } from '../../shared/platform/config/config.ts'
import { version } from '../../shared/platform/config/version.ts'
import { keySetOf, readSettings, say } from '../with-database.ts'
import { type BackupFile, describeFile, type Manifest, writeManifest } from './archive.ts'
import { type BackupTable, findApplied, findSequences, findTables } from './tables.queries.ts'

/**
 * `flightline backup`: writes a backup into a new folder that only its owner may read, while the service runs: every table
 * as one snapshot of the database has it, with checksums, and the uploads of `DATA_DIR`. The manifest is sealed with the
 * service's key.
 */
export async function runBackup(folder: string, { withKeys }: { withKeys: boolean }): Promise<void> {
  const config = readSettings()
  const keySet = keySetOf(config)
  await mkdir(join(folder, '..'), { recursive: true })
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${folder} is there already: name a new folder`) : error
  })
  const database = await copyDatabase(config, folder)
  const uploads = config.S3_BUCKET ? [] : await copyUploads(config, folder)
  const leftOut = [
    'queues: the outbox has all that is owed',
    ...(config.S3_BUCKET ? [`uploads: they are in the bucket ${config.S3_BUCKET}`] : []),
    ...(withKeys ? [] : ['AUTH_KEYS: keep them elsewhere, a restore needs them']),
  ]
  if (withKeys) await writeFile(join(folder, 'auth-keys.json'), `${JSON.stringify(keySet)}\n`, { mode: 0o600 })
  const createdAt = new Date().toISOString()
  await writeManifest(
    folder,
    { format: 'flightline backup 1', version, createdAt, ...database, uploads, leftOut },
    keySet,
  )
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0)
  say(`${folder}: ${rows} rows of ${database.tables.length} tables, ${uploads.length} uploads`)
  for (const line of leftOut) say(`left out: ${line}`)
}

async function copyDatabase(
  config: Config,
  folder: string,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  const client = new pg.Client({
    connectionString: config.MIGRATION_DATABASE_URL ?? required(config, 'DATABASE_URL'),
    application_name: 'flightline-backup',
  })
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('begin isolation level repeatable read read only')
    const migrations = await findApplied(client)
    await mkdir(join(folder, 'tables'), { mode: 0o700 })
    const tables: Manifest['tables'] = []
    for (const table of await findTables(client)) tables.push(await copyTable(client, folder, table))
    const sequences = await findSequences(client)
    await client.query('commit')
    return { migrations, tables, sequences }
  } finally {
    await client.end()
  }
}

async function copyTable(client: pg.Client, folder: string, table: BackupTable): Promise<Manifest['tables'][number]> {
  const path = `tables/${table.name}.copy`
  const columns = table.columns.map((name) => `"${name}"`).join(', ')
  const rows = client.query(copyTo(`copy "${table.name}" (${columns}) to stdout`))
  await pipeline(rows, createWriteStream(join(folder, path), { mode: 0o600, flags: 'wx' }))
  return { ...table, rows: rows.rowCount ?? 0, file: await describeFile(folder, path) }
}

async function copyUploads({ DATA_DIR }: Config, folder: string): Promise<BackupFile[]> {
  const from = join(DATA_DIR, 'uploads')
  if (!(await stat(from).catch(() => null))) return []
  // Halves of uploads that are under way have names of their own; they are copied and mean nothing.
  await cp(from, join(folder, 'uploads'), { recursive: true, dereference: false, verbatimSymlinks: true })
  const entries = await readdir(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replace(/^\//, ''))
  return Promise.all(paths.map((path) => describeFile(folder, path)))
}
