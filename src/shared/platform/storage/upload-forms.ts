import { sql } from 'kysely'
import type { OwnStore } from '../adapters/storage/storage.port.ts'
import type { Db } from '../db/database.ts'
import { readRows } from '../db/read-rows.ts'
import type { Tx } from '../db/transaction.ts'
import { Forbidden, TooManyRequests } from '../kernel/errors.ts'
import { type FileTable, fileTables, finalizeUpload } from './storage.jobs.ts'
import { formsOpenSince, uploadExpiresAt } from './uploads.ts'

/** The most open upload forms of an organization. */
export const MAX_OPEN_FORMS = 50

const open = sql`upload = 'awaited' and form_ended_at is null`

/**
 * Checks the number of open upload forms; call it under the organization's lock. A form is open until its file is
 * stored or it expires.
 * @throws TooManyRequests with the time when enough forms have expired
 */
export async function mustHaveFormsLeft(tx: Tx, organizationId: number, wanted: number): Promise<void> {
  const inTable = (table: FileTable) =>
    sql`select created_at from ${sql.table(table)}
      where organization_id = ${organizationId} and ${open} and created_at > ${formsOpenSince(tx.now)}`
  const { rows } = await sql<{ createdAt: Date }>`
    select created_at as "createdAt" from (${inTable('resource_file')} union all ${inTable('document')}) as forms
    order by created_at`.execute(tx.db)
  const tooMany = rows.length + wanted - MAX_OPEN_FORMS
  const last = rows[tooMany - 1]
  if (!last) return
  const seconds = Math.ceil((uploadExpiresAt(last.createdAt).getTime() - tx.now.getTime()) / 1000)
  throw new TooManyRequests(
    Math.max(1, seconds),
    `At most ${MAX_OPEN_FORMS} files are arranged and not sent yet. Please send those first, or wait.`,
  )
}

/**
 * Ends the open upload forms of a member for one kind of file. Uploads after the commit are rejected, or deleted when
 * object storage accepted them. `whose` restricts them to files that are not the member's own.
 */
export async function endUploadForms(
  tx: Tx,
  table: FileTable,
  { organizationId, id }: { organizationId: number; id: number },
  whose: 'all' | 'not-own' = 'all',
): Promise<void> {
  const notOwn = whose === 'not-own' ? sql`and membership_id is distinct from uploaded_by` : sql``
  const { rows } = await sql<{ id: number }>`
    update ${sql.table(table)} set form_ended_at = ${tx.now}
    where organization_id = ${organizationId} and uploaded_by = ${id} and ${open} ${notOwn} returning id`.execute(tx.db)
  for (const { id: fileId } of rows) tx.enqueue(finalizeUpload, { organizationId, table, fileId })
}

/**
 * Accepts the upload of one form. A form accepts one file; a failed attempt does not use it up.
 * @throws Forbidden when the form was used or has ended
 * @throws the errors of `OwnStore.receive`
 */
export async function takeUpload(
  db: Db,
  own: OwnStore,
  policy: Parameters<OwnStore['receive']>[0],
  content: Parameters<OwnStore['receive']>[1],
): Promise<void> {
  if (!(await isOpen(db, policy.key))) throw formClosed()
  let stored = false
  try {
    await own.receive(policy, content, async () => {
      stored = await changeState(db, policy.key, { from: 'awaited', to: 'stored' })
      if (!stored) throw formClosed()
    })
  } catch (error) {
    if (stored) await changeState(db, policy.key, { from: 'stored', to: 'awaited' })
    throw error
  }
}

function formClosed(): Forbidden {
  return new Forbidden('This upload was used already, or has ended. Please ask for a new one.')
}

async function isOpen(db: Db, key: string): Promise<boolean> {
  const inTable = (table: FileTable) =>
    sql`exists (select from ${sql.table(table)} where ${addressed(table, key)} and ${open})`
  const [found] = await readRows(
    db,
    sql<{ open: boolean }>`select ${inTable('resource_file')} or ${inTable('document')} as open`,
  )
  return found?.open === true
}

/** One statement, so that only one of two concurrent uploads gets the form. */
async function changeState(db: Db, key: string, { from, to }: Record<'from' | 'to', string>): Promise<boolean> {
  for (const table of fileTables) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set upload = ${to}
      where ${addressed(table, key)} and upload = ${from} and form_ended_at is null`.execute(db)
    if (numAffectedRows > 0n) return true
  }
  return false
}

function addressed(table: FileTable, key: string) {
  const organizationId = Number(key.split('/')[0])
  const there = table === 'resource_file' ? sql`and deleted_at is null` : sql``
  return sql`organization_id = ${organizationId} and storage_key = ${key} ${there}`
}
