import { sql } from 'kysely'
import type { UploadState } from '../db/columns.ts'
import type { Db } from '../db/database.ts'
import { readRows } from '../db/read-rows.ts'
import { type FileTable, fileTables } from './storage.jobs.ts'
import { formsOpenSince } from './uploads.ts'

/*
 * The state of uploads is in the columns `upload`, `size_bytes` and `form_ended_at` of the tables of files. This file
 * writes them, for one stored object or for all files of a member. Other code writes them only when a row is added, or
 * when the file of a document is replaced or reviewed. Other contexts own the other columns.
 */

const open = sql`upload = 'awaited' and form_ended_at is null`

/** The tables whose rows have an upload form: those in `fileTables`, and the one with the files of imports. */
const formTables = [...fileTables, 'import_file'] as const
type FormTable = (typeof formTables)[number]

/**
 * The SQL of the instant at which a row's form was opened. It is the creation of the row, but can be later for a
 * document, whose file can be replaced.
 */
const openedAt = { resource_file: sql`created_at`, document: sql`form_opened_at`, import_file: sql`created_at` }

/** A row of one of the tables of files. */
export interface FileRow {
  organizationId: number
  table: FileTable
  fileId: number
}

/** Returns the instants at which the open upload forms of an organization were opened, oldest first. */
export async function findOpenForms(db: Db, organizationId: number, now: Date): Promise<Date[]> {
  const inTable = (table: FormTable) =>
    sql`select ${openedAt[table]} as opened_at from ${sql.table(table)}
      where organization_id = ${organizationId} and ${open} and ${openedAt[table]} > ${formsOpenSince(now)}`
  const { rows } = await sql<{ openedAt: Date }>`
    select opened_at as "openedAt" from (${sql.join(formTables.map(inTable), sql` union all `)}) as forms
    order by opened_at`.execute(db)
  return rows.map((row) => row.openedAt)
}

/** Returns how many files an organization has, including awaited ones. */
export async function countFiles(db: Db, organizationId: number): Promise<number> {
  const inTable = (table: FileTable) =>
    sql`(select count(*) from ${sql.table(table)} where organization_id = ${organizationId} and upload <> 'missing')`
  const { rows } = await sql<{ files: number }>`
    select (${inTable('resource_file')} + ${inTable('document')})::int as files`.execute(db)
  return rows[0]?.files ?? 0
}

/**
 * Ends the open forms of the files that a member uploads; with `not-own` only those of files that do not belong to the
 * member. Returns the ids of the files.
 */
export async function endForms(
  db: Db,
  table: FileTable,
  uploader: { organizationId: number; id: number },
  { whose, now }: { whose: 'all' | 'not-own'; now: Date },
): Promise<number[]> {
  const notOwn = whose === 'not-own' ? sql`and membership_id is distinct from uploaded_by` : sql``
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set form_ended_at = ${now}
    where organization_id = ${uploader.organizationId} and uploaded_by = ${uploader.id} and ${open} ${notOwn}
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns whether the form of an object still accepts a file. */
export async function isFormOpen(db: Db, key: string): Promise<boolean> {
  const inTable = (table: FormTable) =>
    sql`exists (select from ${sql.table(table)} where ${addressed(table, key)} and ${open})`
  const [found] = await readRows(
    db,
    sql<{ open: boolean }>`select ${sql.join(formTables.map(inTable), sql` or `)} as open`,
  )
  return found?.open === true
}

/**
 * Changes the state of an object's upload while its form has not ended. One statement checks and changes the state, so
 * only one of two concurrent uploads gets the form. Returns whether the state changed.
 * @param bytes the size of the stored object; null when there is none
 */
export async function changeUpload(
  db: Db,
  key: string,
  { from, to, bytes }: Record<'from' | 'to', UploadState> & { bytes: number | null },
): Promise<boolean> {
  for (const table of formTables) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set upload = ${to}, size_bytes = ${bytes}
      where ${addressed(table, key)} and upload = ${from} and form_ended_at is null`.execute(db)
    if (numAffectedRows > 0n) return true
  }
  return false
}

/** Returns the storage key of a file and the state of its upload; undefined when there is no such file. */
export async function findUpload(
  db: Db,
  { organizationId, table, fileId }: FileRow,
): Promise<{ storageKey: string; upload: UploadState } | undefined> {
  return db
    .selectFrom(table)
    .select(['storage_key as storageKey', 'upload'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .executeTakeFirst()
}

/** Ends the upload of an awaited object: `stored` when `bytes` is its size, `missing` when `bytes` is null. */
export async function endUpload(
  db: Db,
  { organizationId, table, fileId, storageKey }: FileRow & { storageKey: string },
  bytes: number | null,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ upload: bytes === null ? 'missing' : 'stored', size_bytes: bytes })
    .where('organization_id', '=', organizationId)
    .where('id', '=', fileId)
    .where('storage_key', '=', storageKey)
    .where('upload', '=', 'awaited')
    .execute()
}

function addressed(table: FormTable, key: string) {
  const organizationId = Number(key.split('/')[0])
  const there = table === 'resource_file' ? sql`and deleted_at is null` : sql``
  return sql`organization_id = ${organizationId} and storage_key = ${key} ${there}`
}
