import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate } from '../../shared/composition/migrate.ts'
import { type Config, required } from '../../shared/platform/config/config.ts'
import { hold, release } from '../../shared/platform/db/hold.ts'
import { migrationNames } from '../../shared/platform/db/run-migrations.ts'
import { keySetOf, readSettings, say } from '../with-database.ts'
import { checkFile, type Manifest, readManifest } from './archive.ts'
import { findForeignKeys, findTables } from './tables.queries.ts'

/**
 * `flightline restore`: loads a backup into an empty database and an empty folder of uploads, all or nothing. The schema comes from
 * the migrations of this release, which has to be that of the backup; the backup brings rows alone. Wakes nothing: all
 * that leaves the service is held until `flightline resume`, jobs that were owed are given up, and sign-ins, mailed links
 * and open invitations end.
 */
export async function runRestore(folder: string, { keepSessions }: { keepSessions: boolean }): Promise<void> {
  const config = readSettings()
  const manifest = await readManifest(folder, keySetOf(config))
  if (!isDeepStrictEqual(manifest.migrations, [...migrationNames])) {
    throw new Error(`the backup is of release ${manifest.version}: restore it with that release, then upgrade`)
  }
  for (const file of [...manifest.tables.map(({ file }) => file), ...manifest.uploads]) await checkFile(folder, file)
  const uploads = join(config.DATA_DIR, 'uploads')
  if ((await readdir(uploads).catch(() => [])).length > 0)
    throw new Error(`${uploads} is not empty: a restore overwrites nothing`)
  await asOwner(config, mustBeEmpty)
  const serviceUrl = required(config, 'DATABASE_URL')
  const ownerUrl = config.MIGRATION_DATABASE_URL ?? serviceUrl
  await migrate({ ownerUrl, serviceUrl, tell: say })
  await asOwner(config, (client) => load(client, folder, manifest, keepSessions))
  for (const { path } of manifest.uploads) await copyUpload(folder, config, path)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  say(
    `restored ${rows} rows of ${manifest.tables.length} tables and ${manifest.uploads.length} uploads of ${manifest.createdAt}`,
  )
  say(
    'Nothing leaves the service until flightline resume. Jobs that were owed are given up: flightline jobs failed lists them.',
  )
  for (const line of manifest.leftOut) say(`not in the backup: ${line}`)
}

/** `flightline resume`: lets leave the service again what a restore held. */
export async function runResume(): Promise<void> {
  const wasHeld = await asOwner(readSettings(), release)
  say(wasHeld ? 'Workers go on.' : 'Nothing was held.')
}

async function mustBeEmpty(client: pg.Client): Promise<void> {
  if ((await findTables(client)).length > 0) throw new Error('the database is not empty: a restore overwrites nothing')
}

async function load(client: pg.Client, folder: string, manifest: Manifest, keepSessions: boolean): Promise<void> {
  const there = await findTables(client)
  const given = manifest.tables.map(({ name, columns }) => ({ name, columns }))
  if (!isDeepStrictEqual(there, given)) throw new Error('the backup does not have the tables of this release')
  const keys = await findForeignKeys(client)
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  await hold(client, `restored from the backup of ${manifest.createdAt}`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint "${name}"`)
  for (const table of manifest.tables) await loadTable(client, folder, table)
  // Made again, a foreign key checks every row.
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }
  for (const { name, value, called } of manifest.sequences) {
    await client.query(`select setval($1::text::regclass, $2, $3)`, [`"${name}"`, value, called])
  }
  await client.query('update outbox set failed_at = now() where failed_at is null')
  if (!keepSessions) await endSessions(client)
  await client.query('commit')
}

async function loadTable(client: pg.Client, folder: string, table: Manifest['tables'][number]): Promise<void> {
  const columns = table.columns.map((name) => `"${name}"`).join(', ')
  // Triggers would stamp the rows anew, and refuse to.
  await client.query(`alter table "${table.name}" disable trigger user`)
  const rows = client.query(copyFrom(`copy "${table.name}" (${columns}) from stdin`))
  await pipeline(createReadStream(join(folder, table.file.path)), rows)
  await client.query(`alter table "${table.name}" enable trigger user`)
  if (rows.rowCount !== table.rows) throw new Error(`${table.name} has ${rows.rowCount} rows, not ${table.rows}`)
}

/** Ends what was open at the time of the backup: it may have been ended since. */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query('update account set tokens_valid_from = now()')
  await client.query('update mail_token set used_at = now() where used_at is null')
  await client.query('update invitation set expires_at = now() where accepted_at is null and expires_at > now()')
}

async function copyUpload(folder: string, { DATA_DIR }: Config, path: string): Promise<void> {
  const target = join(DATA_DIR, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await cp(join(folder, path), target, { errorOnExist: true, force: false })
}

async function asOwner<T>(config: Config, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: config.MIGRATION_DATABASE_URL ?? required(config, 'DATABASE_URL'),
    application_name: 'flightline-restore',
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
