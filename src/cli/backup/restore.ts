import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { readKeySet } from '../../shared/composition/key-sets.ts'
import { migrate } from '../../shared/composition/migrate.ts'
import { roles } from '../../shared/platform/authz/roles.ts'
import { type Config, required } from '../../shared/platform/config/config.ts'
import { backupIn, hold, RESTORED, release, whyHeld } from '../../shared/platform/db/hold.ts'
import { isBeforeFirstRelease, makeMigrationTable, migrationNames } from '../../shared/platform/db/run-migrations.ts'
import { dropStoredFolder, dropStoredObject } from '../../shared/platform/storage/storage.jobs.ts'
import { endAgain } from '../../shared/workflows/end-again.ts'
import { readSettings, say, transact, withDatabase, withOwner } from '../with-database.ts'
import { asItIs, decryptWith, type Recode } from './age.ts'
import { checkFile, type Manifest, readManifest } from './archive.ts'
import { compareWithGateway } from './compare.ts'
import { type EndedRows, readJournal } from './journal.ts'
import { loadRows } from './load-rows.ts'
import { deleteRights, findStorageKeys, rightsTables } from './rights.queries.ts'
import { findTables } from './tables.queries.ts'

export interface RestoreOptions {
  keepSessions: boolean
  /** The file with the age identities that decrypt the backup. */
  identity?: string | undefined
}

/** The `application_name` of the restore's connections. */
const NAME = 'flightline-restore'
const UNFINISHED = 'a restore did not finish: begin again with an empty database'

/**
 * `flightline restore`: loads a backup into an empty database and an empty folder of uploads. The migrations of this
 * release, which must be those of the backup, create the schema. The backup contains only rows, and a role that is not
 * a superuser loads them. Jobs that were not done are marked as given up. Sign-ins, mailed links and open invitations
 * end, unless `keepSessions` is set. What the journal lists as erased or revoked is erased or revoked again. Workers
 * start no job until `flightline resume`. Without `DATABASE_URL` it restores into the embedded database of `DATA_DIR`.
 * @throws Error when the backup is of another release, damaged, or encrypted and no identity is given, or the database
 * or the folder is not empty
 */
export async function runRestore(folder: string, options: RestoreOptions): Promise<void> {
  const config = readSettings()
  if (config.DATABASE_URL) return restore(folder, config, options)
  const { onEmbeddedDatabase } = await import('../../../local/start/own-database.ts')
  await onEmbeddedDatabase(config, (embedded) => restore(folder, embedded, options))
}

async function restore(folder: string, config: Config, { keepSessions, identity }: RestoreOptions): Promise<void> {
  const keySet = readKeySet(config, 'AUTH_KEYS')
  const manifest = await readManifest(folder, keySet)
  const journal = await readJournal(folder, manifest.createdAt, keySet)
  if (isBeforeFirstRelease(manifest.migrations)) {
    throw new Error('the backup is from before the first release, and no release can load it')
  }
  if (!isDeepStrictEqual(manifest.migrations, [...migrationNames])) {
    throw new Error(`the backup is of release ${manifest.version}: restore it with that release, then upgrade`)
  }
  if (manifest.encrypted && !identity)
    throw new Error('the backup is encrypted: name a file of identities with --identity')
  const recode = manifest.encrypted && identity ? await decryptWith(identity) : asItIs
  for (const file of [...manifest.tables.map(({ file }) => file), ...manifest.uploads]) await checkFile(folder, file)
  const uploads = join(config.DATA_DIR, 'uploads')
  if ((await readdir(uploads).catch(() => [])).length > 0)
    throw new Error(`${uploads} is not empty: a restore overwrites nothing`)
  await withOwner(config, NAME, async (client) => {
    await assertIsEmpty(client)
    // The hold is set before the schema exists, so that no worker that waits for the schema starts.
    await makeMigrationTable(client)
    await hold(client, UNFINISHED)
  })
  const serviceUrl = required(config, 'DATABASE_URL')
  await migrate({ ownerUrl: config.MIGRATION_DATABASE_URL ?? serviceUrl, serviceUrl, print: say })
  await withOwner(config, NAME, async (client) => {
    const ended = await loadRows(client, { folder, manifest, recode, journal, keepSessions, serviceUrl })
    const before = await findStorageKeys(client)
    if (ended) await endWhatHasEnded(config, client, ended)
    const after = await findStorageKeys(client)
    const gone = new Set([...before].filter((key) => !after.has(key)).map((key) => `uploads/${key}`))
    for (const { path } of manifest.uploads) if (!gone.has(path)) await copyUpload(folder, config, path, recode)
    await hold(client, `${RESTORED}${manifest.createdAt}`)
  })
  report(manifest, journal?.until)
  const { lines } = await withDatabase(config, (database) =>
    compareWithGateway(config, database, new Date(manifest.createdAt)),
  )
  for (const line of lines) say(line)
}

/**
 * `flightline resume`: compares the restored database with the payment gateway, and ends the restore's hold.
 * @throws Error when they differ so that somebody could be charged twice, or cannot be compared, unless
 * `despiteDifferences` is set
 */
export async function runResume({ despiteDifferences }: { despiteDifferences: boolean }): Promise<void> {
  const config = readSettings()
  const why = await withOwner(config, 'flightline-resume', whyHeld)
  if (why === null) return say('Nothing was held.')
  const backup = backupIn(why)
  if (!backup) throw new Error(why)
  const { agrees, lines } = await withDatabase(config, (database) => compareWithGateway(config, database, backup))
  for (const line of lines) say(line)
  if (!agrees && !despiteDifferences) {
    throw new Error('still held: look into the above, then flightline resume --despite-differences')
  }
  await withOwner(config, 'flightline-resume', release)
  say('Workers go on.')
}

/**
 * The jobs that still run after `flightline resume`: they delete stored files. The other jobs that `endAgain` enqueues
 * are marked as given up, so that no mail is sent twice.
 */
const GO_ON = [dropStoredFolder.name, dropStoredObject.name]

/** Erases or revokes again, in a restored database, what ended after the backup. Prints the number of rows per set. */
async function endWhatHasEnded(config: Config, client: pg.Client, ended: EndedRows): Promise<void> {
  for (const table of rightsTables) await deleteRights(client, table, ended[table])
  const taken = roles.map((role) => [role, ended[role].filter((id) => !ended.membership.includes(id))] as const)
  await withDatabase(config, (database) =>
    transact(database, (tx) => endAgain(tx, { ...ended, taken: Object.fromEntries(taken) as typeof ended })),
  )
  await client.query('update outbox set failed_at = now() where failed_at is null and job <> all($1)', [GO_ON])
  const counts = Object.entries(ended).flatMap(([name, ids]) => (ids.length > 0 ? [`${name} ${ids.length}`] : []))
  say(`ended again: ${counts.join(', ') || 'nothing'}`)
}

function report({ tables, uploads, createdAt, leftOut }: Manifest, journalUntil: string | undefined): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  say(`restored ${rows} rows of ${tables.length} tables and ${uploads.length} uploads of ${createdAt}`)
  say(
    'Nothing leaves the service until flightline resume. Jobs that were pending are given up: flightline jobs failed lists them.',
  )
  say(
    journalUntil
      ? `What was erased or revoked until ${journalUntil} is so again. What ended later is back: end it again.`
      : 'No journal lies beside the backup: what was erased or revoked after it is back. End it again.',
  )
  for (const line of leftOut) say(`not in the backup: ${line}`)
}

async function assertIsEmpty(client: pg.Client): Promise<void> {
  if ((await findTables(client)).length > 0) throw new Error('the database is not empty: a restore overwrites nothing')
}

async function copyUpload(folder: string, { DATA_DIR }: Config, path: string, recode: Recode): Promise<void> {
  const target = join(DATA_DIR, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const bytes = await recode(createReadStream(join(folder, path)))
  await pipeline(bytes, createWriteStream(target, { flags: 'wx' }))
}
