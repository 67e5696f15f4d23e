import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { daysKept } from '../../platform/db/declare-table.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { OperationOf } from '../../platform/operations/operation.access.ts'
import { keptUntil } from '../../platform/retention/retention.rules.ts'
import { dropStoredObject } from '../../platform/storage/storage.jobs.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { ImportFile } from '../portability.tables.ts'

/** A row of an import with its cells. */
export interface ImportedRow {
  number: number
  cells: string[]
}

/** Returns the content that was sent in the request body; null for an import by upload, or when it was deleted. */
export async function findContent(db: Db, of: OperationOf): Promise<string | null> {
  const row = await db
    .selectFrom('import_file')
    .select('content')
    .where('organization_id', '=', of.organizationId)
    .where('operation_id', '=', of.operationId)
    .executeTakeFirst()
  return row?.content ?? null
}

/** Stores the content that was sent in the request body. */
export async function insertContent(tx: Tx, of: OperationOf, content: string): Promise<void> {
  const { organizationId: organization_id, operationId: operation_id } = of
  await tx.db.insertInto('import_file').values({ organization_id, operation_id, content, created_at: tx.now }).execute()
}

/** The storage object to which the file of an import is uploaded. */
export interface ImportObject {
  storageKey: string
  contentType: string
  createdAt: Date
}

/** Returns the storage object of an import by upload; null for another import, or when the object was deleted. */
export async function findObject(db: Db, { organizationId, operationId }: OperationOf): Promise<ImportObject | null> {
  const row = await db
    .selectFrom('import_file')
    .select(['storage_key', 'content_type', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .executeTakeFirst()
  if (!row?.storage_key) return null
  return { storageKey: row.storage_key, contentType: row.content_type ?? '', createdAt: row.created_at }
}

/**
 * Stores the key of the object to which the file of an import will be uploaded. The object is deleted when the import
 * was read, or after a day.
 */
export async function insertObject(
  tx: Tx,
  { organizationId, operationId }: OperationOf,
  { storageKey, contentType }: Pick<ImportObject, 'storageKey' | 'contentType'>,
): Promise<void> {
  await tx.db
    .insertInto('import_file')
    .values({
      organization_id: organizationId,
      operation_id: operationId,
      created_at: tx.now,
      content: null,
      storage_key: storageKey,
      content_type: contentType,
      upload: 'awaited',
    })
    .execute()
  const availableAt = keptUntil(tx.now, daysKept(ImportFile))
  tx.enqueue(dropStoredObject, { storageKey }, { availableAt })
}

/** Records that the file of an import was uploaded, with its size in bytes. */
export async function noteArrived(tx: Tx, { organizationId, operationId }: OperationOf, bytes: number): Promise<void> {
  await tx.db
    .updateTable('import_file')
    .set({ upload: 'stored', size_bytes: bytes })
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}

/** Deletes the content of an import, sent or uploaded. Called after its rows are written. */
export async function deleteContent(tx: Tx, { organizationId, operationId }: OperationOf): Promise<void> {
  const object = await findObject(tx.db, { organizationId, operationId })
  if (object) dropObject(tx, object)
  await tx.db
    .deleteFrom('import_file')
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}

/** Writes the cells of rows of an import, and a row of the operation for each of them. */
export async function insertRows(
  tx: Tx,
  { organizationId, operationId }: OperationOf,
  rows: readonly (ImportedRow & { externalId: string | null })[],
): Promise<void> {
  const json = JSON.stringify(rows)
  await sql`
    with given as (
      select * from jsonb_to_recordset(${json}::jsonb) as g (number int, cells jsonb, "externalId" text)
    ), kept as (
      insert into import_row (organization_id, operation_id, number, cells, created_at)
      select ${organizationId}, ${operationId}, number, cells, ${tx.now} from given
    )
    insert into operation_row (organization_id, operation_id, number, external_id)
    select ${organizationId}, ${operationId}, number, "externalId" from given`.execute(tx.db)
}

/** Returns the rows with these numbers and their cells, ordered by number. Deleted rows are left out. */
export async function findCells(db: Db, of: OperationOf, numbers: readonly number[]): Promise<ImportedRow[]> {
  return db
    .selectFrom('import_row')
    .select(['number', 'cells'])
    .where('organization_id', '=', of.organizationId)
    .where('operation_id', '=', of.operationId)
    .where('number', '=', sql<number>`any(${numbers}::int[])`)
    .orderBy('number')
    .execute()
}

/** Returns the numbers of the rows that have something in one of these cells. */
export async function findFilled(db: Db, of: OperationOf, places: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`
    select number from import_row where organization_id = ${of.organizationId} and operation_id = ${of.operationId}
      and exists (select from unnest(${places}::int[]) place where btrim(cells ->> place) <> '')`.execute(db)
  return new Set(rows.map(({ number }) => number))
}

/** Returns how many rows had each outcome. */
export async function countOutcomes(
  db: Db,
  { organizationId, operationId }: OperationOf,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; rows: number }>`
    select outcome, count(*)::int as rows from operation_row
    where organization_id = ${organizationId} and operation_id = ${operationId} and outcome is not null
    group by outcome`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.outcome, row.rows]))
}

/** Returns the time zone of an organization, which applies to days and times without a zone. */
export async function findZone(tx: Tx, organizationId: number): Promise<string> {
  const { zone } = await tx.db
    .selectFrom('organization')
    .select('time_zone_name as zone')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return zone
}
