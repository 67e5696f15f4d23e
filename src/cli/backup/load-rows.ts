import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Recode } from './age.ts'
import type { Manifest } from './archive.ts'
import { type EndedRows, findEnded, type Journal } from './journal.ts'
import { findForeignKeys, findTables, isSuperuser } from './tables.queries.ts'

/** A checked backup, and whether its sign-ins, mailed links and invitations stay valid (`keepSessions`). */
export interface BackupToLoad {
  folder: string
  manifest: Manifest
  recode: Recode
  journal: Journal | null
  keepSessions: boolean
  serviceUrl: string
}

/**
 * Loads the rows of a backup into the empty tables of this release, in one transaction. Marks jobs that were not done
 * as given up, and ends sign-ins, mailed links and open invitations unless `keepSessions` is set. Returns the rows that
 * ended after the backup according to the journal; null without a journal.
 * @throws Error when the tables differ from those of the backup, or only a superuser could load them
 */
export async function loadRows(client: pg.Client, backup: BackupToLoad): Promise<EndedRows | null> {
  const { folder, manifest, recode, journal, keepSessions, serviceUrl } = backup
  const there = await findTables(client)
  const given = manifest.tables.map(({ name, columns }) => ({ name, columns }))
  if (!isDeepStrictEqual(there, given)) throw new Error('the backup does not have the tables of this release')
  const keys = await findForeignKeys(client)
  const loader = await loadingRole(client, serviceUrl)
  await client.query('begin')
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint "${name}"`)
  // Triggers would replace timestamps, or reject rows.
  for (const { name } of there) await client.query(`alter table "${name}" disable trigger user`)
  if (loader) await client.query(`set local role ${pg.escapeIdentifier(loader)}`)
  for (const table of manifest.tables) await loadTable(client, folder, table, recode)
  if (loader) await client.query('reset role')
  for (const { name } of there) await client.query(`alter table "${name}" enable trigger user`)
  // Adding a foreign key again checks every row.
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }
  for (const { name, value, called } of manifest.sequences) {
    await client.query(`select setval($1::text::regclass, $2, $3)`, [`"${name}"`, value, called])
  }
  await client.query('update outbox set failed_at = now() where failed_at is null')
  const ended = journal && (await findEnded(client, journal))
  if (!keepSessions) await endSessions(client)
  await client.query('commit')
  return ended
}

/**
 * Returns the role that loads the rows: null for the owner of the tables, or the service's role when the owner is a
 * superuser, as in an embedded database.
 * @throws Error when both are superusers
 */
async function loadingRole(client: pg.Client, serviceUrl: string): Promise<string | null> {
  if (!(await isSuperuser(client, null))) return null
  const service = decodeURIComponent(new URL(serviceUrl).username)
  if (!(await isSuperuser(client, service))) return service
  throw new Error('only a superuser of PostgreSQL could load the rows: let DATABASE_URL name a role that is none')
}

async function loadTable(
  client: pg.Client,
  folder: string,
  table: Manifest['tables'][number],
  recode: Recode,
): Promise<void> {
  const columns = table.columns.map((name) => `"${name}"`).join(', ')
  const rows = client.query(copyFrom(`copy "${table.name}" (${columns}) from stdin`))
  await pipeline(await recode(createReadStream(join(folder, table.file.path))), rows)
  if (rows.rowCount !== table.rows) throw new Error(`${table.name} has ${rows.rowCount} rows, not ${table.rows}`)
}

/**
 * Ends the sign-ins, mailed links and invitations that were valid at the time of the backup, because they may have
 * ended after it.
 */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query('update account set tokens_valid_from = now()')
  await client.query('update mail_token set used_at = now() where used_at is null')
  await client.query('update invitation set expires_at = now() where accepted_at is null and expires_at > now()')
  await client.query('update booking_request set token_expires_at = now() where token_expires_at > now()')
  await client.query('delete from connection_state')
}
