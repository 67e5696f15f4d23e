import { readFile, rename, writeFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import type pg from 'pg'
import { z } from 'zod'
import { readKeySet } from '../../shared/composition/key-sets.ts'
import { markBackup } from '../../shared/platform/db/backup-mark.ts'
import { readSettings, say, withOwner } from '../with-database.ts'
import { isSealed, readManifest, sealOf } from './archive.ts'
import { type IdRanges, idsOutside, rangesOf } from './id-ranges.rules.ts'
import { findInForce, type RightsSet, setNames } from './rights.queries.ts'

/**
 * The ids of the rows that were in force at an instant after a backup. A row of the backup that is not listed was
 * erased or revoked between the two. The file is beside the folder of the backup and sealed like its manifest.
 */
const Journal = z.strictObject({
  format: z.literal('flightline journal 1'),
  backup: z.iso.datetime(),
  until: z.iso.datetime(),
  standing: z.record(z.enum(setNames), z.array(z.tuple([z.int(), z.int()]))),
})

export type Journal = z.infer<typeof Journal>

/** For each set, the ids of a restored database that ended after the backup, according to a journal. */
export type EndedRows = Record<RightsSet, number[]>

/**
 * `flightline journal`: records, beside a backup, what was erased or revoked since. It is meant to run every few
 * minutes.
 */
export async function runJournal(folder: string): Promise<void> {
  const config = readSettings()
  const keySet = readKeySet(config, 'AUTH_KEYS')
  const { createdAt } = await readManifest(folder, keySet)
  await withOwner(config, 'flightline-journal', (client) => writeJournal(client, folder, createdAt, keySet))
  say(`${fileOf(folder)}: what of the backup of ${createdAt} stands`)
}

/** Writes the journal of a backup, or replaces it in one step. */
export async function writeJournal(
  client: pg.ClientBase,
  folder: string,
  backup: string,
  keySet: JSONWebKeySet,
): Promise<void> {
  const until = new Date().toISOString()
  const standing: Record<string, IdRanges> = {}
  for (const name of setNames) standing[name] = rangesOf(await findInForce(client, name, new Date(backup)))
  const text = JSON.stringify({ format: 'flightline journal 1', backup, until, standing })
  const file = fileOf(folder)
  await writeFile(`${file}.new`, `${text}\n${sealOf(text, keySet)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  await markBackup(client, 'journal')
}

/**
 * Returns the journal of a backup; null when there is none.
 * @throws Error when no key of the set sealed it, or it belongs to another backup
 */
export async function readJournal(folder: string, backup: string, keySet: JSONWebKeySet): Promise<Journal | null> {
  const file = fileOf(folder)
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (content === null) return null
  const [text = '', seal = ''] = content.split('\n')
  if (!isSealed(text, seal, keySet)) throw new Error(`${file} was not sealed with a key of AUTH_KEYS`)
  const journal = Journal.parse(JSON.parse(text))
  if (journal.backup !== backup) throw new Error(`${file} is of another backup`)
  return journal
}

/** Returns the rows of a restored database that ended after the backup, according to the journal. */
export async function findEnded(client: pg.ClientBase, journal: Journal): Promise<EndedRows> {
  const ended = {} as EndedRows
  for (const name of setNames) {
    const restored = await findInForce(client, name, new Date(journal.backup))
    ended[name] = idsOutside(restored, journal.standing[name])
  }
  return ended
}

/** Returns the path of the journal. It is beside the backup's folder, because that folder is not changed later. */
function fileOf(folder: string): string {
  return `${folder.replace(/\/+$/, '')}.journal`
}
