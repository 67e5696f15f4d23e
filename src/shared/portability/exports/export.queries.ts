import { type RawBuilder, sql } from 'kysely'
import type { Table } from '../../platform/db/declare-table.ts'

/** A table of an export and its columns, in their order. */
export interface ExportedTable {
  table: string
  columns: string[]
}

/** The columns that are not exported from any table. */
export const unexportedColumns: readonly string[] = ['organization_id', 'transaction_id', 'storage_key']

/** Returns the name of a column as a field of the interface, such as `createdAt` for `created_at`. */
export function fieldOf(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Selects the exported tables with their exported columns. */
export function selectExportedColumns(tables: readonly Table[]): RawBuilder<ExportedTable> {
  const withheld = Object.fromEntries(tables.flatMap((table) => (table.withheld ? [[table.name, table.withheld]] : [])))
  return sql`
  select table_name as "table", array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns c
    join jsonb_each(${JSON.stringify(withheld)}::jsonb) as e (name, left_out) on e.name = c.table_name
   where table_schema = current_schema() and column_name <> all(${unexportedColumns}::text[])
     and not e.left_out ? c.column_name::text
   group by table_name order by table_name`
}

/** Selects the rows of a table, each as a JSON array of the values of its columns, in their order. */
export function selectRecords(
  { table, columns }: ExportedTable,
  organizationId: number,
): RawBuilder<{ cells: unknown[] }> {
  const cells = columns.map((column) => sql`to_jsonb(${sql.ref(column)})`)
  const order = columns.includes('id') ? sql`order by id` : sql``
  return sql`select jsonb_build_array(${sql.join(cells)}) as cells from ${sql.table(table)}
    where organization_id = ${organizationId} ${order}`
}

/** A stored file: an upload, which has a `storageKey`, or an issued certificate, which has a `certificateId`. */
export interface StoredFile {
  path: string
  storageKey: string | null
  certificateId: number | null
}

/** Selects the stored files of an organization, with their paths in the archive. */
export function selectStoredFiles(organizationId: number): RawBuilder<StoredFile> {
  const named = (kind: string) => sql`${sql.lit(`files/${kind}-`)} || id || '-' || translate(file_name, '/\\', '__')`
  return sql`
    select ${named('resource')} as path, storage_key as "storageKey", null::int as "certificateId" from resource_file
      where organization_id = ${organizationId} and upload = 'stored' and deleted_at is null
    union all
    select ${named('document')}, storage_key, null from document
      where organization_id = ${organizationId} and upload = 'stored'
    union all
    select 'files/certificate-' || id || '.pdf', null, id from training_certificate
      where organization_id = ${organizationId}`
}

/** Selects the PDF of an issued certificate. */
export function selectCertificate(organizationId: number, id: number): RawBuilder<{ pdf: Buffer }> {
  return sql`select pdf from training_certificate where organization_id = ${organizationId} and id = ${id}`
}

/** Selects the facts of the organization for the manifest. */
export function selectOrganization(id: number): RawBuilder<{ id: number; name: string; timeZoneName: string }> {
  return sql`select id, name, time_zone_name as "timeZoneName" from organization where id = ${id}`
}
