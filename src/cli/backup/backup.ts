import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readKeySet } from '../../shared/composition/key-sets.ts'
import type { Config } from '../../shared/platform/config/config.ts'
import { version } from '../../shared/platform/config/version.ts'
import { markBackup } from '../../shared/platform/db/backup-mark.ts'
import { readSettings, say, withOwner } from '../with-database.ts'
import { encryptFor, type Recode } from './age.ts'
import { type BackupFile, describeFile, type Manifest, writeManifest } from './archive.ts'
import { writeJournal } from './journal.ts'
import { type BackupTable, findApplied, findSequences, findTables } from './tables.queries.ts'

export interface BackupOptions {
  withKeys: boolean
  /** The age recipients for whom tables, uploads and keys are encrypted; without recipients nothing is encrypted. */
  recipients: readonly string[]
}

/**
 * `flightline backup`: writes a backup into a new folder that only its owner may read, while the service runs. The
 * backup contains every table from one snapshot of the database, and the uploads of `DATA_DIR`, all with checksums. The
 * manifest is sealed with the service's key. A journal beside the folder records what ends after the backup.
 * @throws Error when the folder exists
 */
export async function runBackup(folder: string, { withKeys, recipients }: BackupOptions): Promise<void> {
  const config = readSettings()
  const keySet = readKeySet(config, 'AUTH_KEYS')
  const recode = encryptFor(recipients)
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${folder} is there already: name a new folder`) : error
  })
  const createdAt = new Date().toISOString()
  const database = await withOwner(config, 'flightline-backup', (client) => copyDatabase(client, folder, recode))
  const uploads = config.S3_BUCKET ? [] : await copyUploads(config, folder, recode)
  const leftOut = [
    'queues: the outbox has all that is pending',
    ...(config.S3_BUCKET ? [`uploads: they are in the bucket ${config.S3_BUCKET}`] : []),
    ...(withKeys ? [] : ['AUTH_KEYS: keep them elsewhere, a restore needs them']),
    ...(withKeys ? [] : ['RECORD_KEYS: keep them elsewhere, without them no seal can be verified']),
  ]
  if (withKeys) {
    const sets = { 'auth-keys.json': keySet, 'record-keys.json': readKeySet(config, 'RECORD_KEYS') }
    for (const [name, set] of Object.entries(sets)) {
      await writeInto(join(folder, name), Readable.from([Buffer.from(`${JSON.stringify(set)}\n`)]), recode)
    }
  }
  const head = { format: 'flightline backup 1', version, createdAt, encrypted: recipients.length > 0 } as const
  await writeManifest(folder, { ...head, ...database, uploads, leftOut }, keySet)
  await withOwner(config, 'flightline-backup', async (client) => {
    await writeJournal(client, folder, createdAt, keySet)
    await markBackup(client, 'backup')
  })
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0)
  say(`${folder}: ${rows} rows of ${database.tables.length} tables, ${uploads.length} uploads`)
  for (const line of leftOut) say(`left out: ${line}`)
}

async function copyDatabase(
  client: pg.Client,
  folder: string,
  recode: Recode,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  await client.query('begin isolation level repeatable read read only')
  const migrations = await findApplied(client)
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  const tables: Manifest['tables'] = []
  for (const table of await findTables(client)) tables.push(await copyTable(client, folder, table, recode))
  const sequences = await findSequences(client)
  await client.query('commit')
  return { migrations, tables, sequences }
}

async function copyTable(
  client: pg.Client,
  folder: string,
  table: BackupTable,
  recode: Recode,
): Promise<Manifest['tables'][number]> {
  const path = `tables/${table.name}.copy`
  const columns = table.columns.map((name) => `"${name}"`).join(', ')
  const rows = client.query(copyTo(`copy "${table.name}" (${columns}) to stdout`))
  await writeInto(join(folder, path), rows, recode)
  return { ...table, rows: rows.rowCount ?? 0, file: await describeFile(folder, path) }
}

/** Copies the uploads. Partial uploads are copied too; they are in a folder of their own, and no record refers to them. */
async function copyUploads({ DATA_DIR }: Config, folder: string, recode: Recode): Promise<BackupFile[]> {
  const entries = await readdir(join(DATA_DIR, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  const copied: BackupFile[] = []
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const path = relative(DATA_DIR, join(entry.parentPath, entry.name))
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // An upload that was deleted in the meantime is skipped.
    const upload = await open(join(DATA_DIR, path)).catch(() => null)
    if (!upload) continue
    await writeInto(target, upload.createReadStream(), recode)
    copied.push(await describeFile(folder, path))
  }
  return copied
}

async function writeInto(file: string, bytes: Readable, recode: Recode): Promise<void> {
  await pipeline(await recode(bytes), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
}
