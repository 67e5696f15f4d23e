import type { RawBuilder } from 'kysely'
import { csvLines } from '../../insight/reports/write-csv-lines.ts'
import type { ObjectStorage } from '../../platform/adapters/storage/storage.port.ts'
import type { Table } from '../../platform/db/declare-table.ts'
import type { ReadSnapshot } from '../../platform/db/snapshot.ts'
import { importKindNames, importKinds } from '../imports/find-import-kind.ts'
import {
  type ExportedTable,
  fieldOf,
  type StoredFile,
  selectCertificate,
  selectExportedColumns,
  selectOrganization,
  selectRecords,
  selectStoredFiles,
} from './export.queries.ts'
import { importFiles } from './import-files.queries.ts'
import type { ArchiveChunk, ArchiveFile } from './write-archive.ts'

/**
 * Returns the files of an export: one file per kind of import, the records of each table, and the stored files. Also
 * returns the facts of the organization and the order of the imports.
 */
export async function findFilesToExport(
  read: ReadSnapshot,
  storage: ObjectStorage,
  { organizationId, tables, now }: { organizationId: number; tables: readonly Table[]; now: Date },
) {
  const [organization] = await all(read(selectOrganization(organizationId)))
  const files: ArchiveFile[] = importKindNames.map((kind) => {
    const columns = Object.keys(importKinds[kind].columns)
    const lines = (rows: Record<string, unknown>[]) => rows.map((row) => columns.map((column) => row[column]))
    const rows = importFiles[kind](organizationId, now)
    return { path: `import/${kind}.csv`, kind, open: async () => csvOf(read, rows, { columns, lines }) }
  })
  for (const table of await all(read(selectExportedColumns(tables))))
    files.push(...recordFiles(read, table, organizationId))
  for (const file of await all(read(selectStoredFiles(organizationId)))) {
    files.push({ path: file.path, kind: 'file', open: () => storedBytes(read, storage, organizationId, file) })
  }
  return { organization, importOrder: importKindNames, files }
}

function recordFiles(read: ReadSnapshot, table: ExportedTable, organizationId: number): ArchiveFile[] {
  const { table: kind } = table
  const columns = table.columns.map(fieldOf)
  const rows = selectRecords(table, organizationId)
  const lines = (some: { cells: unknown[] }[]) => some.map(({ cells }) => cells.map(plain))
  return [
    { path: `records/${kind}.jsonl`, kind, open: async () => jsonOf(read(rows), columns) },
    { path: `records/${kind}.csv`, kind, open: async () => csvOf(read, rows, { columns, lines }) },
  ]
}

/** Returns a value as a cell of CSV: an object or a list as JSON, other values unchanged. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

async function* csvOf<Row>(
  read: ReadSnapshot,
  query: RawBuilder<Row>,
  { columns, lines }: { columns: string[]; lines: (rows: Row[]) => unknown[][] },
): AsyncGenerator<ArchiveChunk> {
  yield { bytes: csvLines([columns], { bom: true }), records: 0 }
  for await (const rows of read(query)) yield { bytes: csvLines(lines(rows)), records: rows.length }
}

async function* jsonOf(
  batches: AsyncIterable<{ cells: unknown[] }[]>,
  columns: readonly string[],
): AsyncGenerator<ArchiveChunk> {
  for await (const rows of batches) {
    const lines = rows.map(({ cells }) =>
      JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at]]))),
    )
    yield { bytes: Buffer.from(`${lines.join('\n')}\n`), records: rows.length }
  }
}

/** Opens a stored file; null when the storage does not have it. */
async function storedBytes(
  read: ReadSnapshot,
  storage: ObjectStorage,
  organizationId: number,
  { storageKey, certificateId }: StoredFile,
): Promise<AsyncIterable<ArchiveChunk> | null> {
  if (certificateId === null) {
    const content = await storage.read(storageKey ?? '')
    return content && chunksOf(content)
  }
  const [certificate] = await all(read(selectCertificate(organizationId, certificateId)))
  return certificate ? chunksOf([certificate.pdf]) : null
}

async function* chunksOf(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<ArchiveChunk> {
  let records = 1
  for await (const bytes of content) {
    yield { bytes, records }
    records = 0
  }
}

async function all<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const some of batches) rows.push(...some)
  return rows
}
