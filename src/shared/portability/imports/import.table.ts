import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord, uploadStates } from '../../platform/db/columns.ts'

/** What was sent to be imported, until its rows are written; deleted after a day. Kysely writes it. */
export const ImportFile = defineEntity({
  name: 'ImportFile',
  tableName: 'import_file',
  properties: {
    ...tenantRecord,
    operationId: p.integer(),
    content: p.text().nullable(),
    /** Of an import by a file that is uploaded, as of any stored file. */
    contentType: p.text().nullable(),
    storageKey: p.text().nullable(),
    upload: p.enum(uploadStates).default('stored'),
    sizeBytes: p.integer().nullable(),
    formEndedAt: instant().nullable(),
  },
})

/** The cells of a row of an import, in the order of its header; deleted after a day. Kysely writes it. */
export const ImportRow = defineEntity({
  name: 'ImportRow',
  tableName: 'import_row',
  properties: {
    ...tenantRecord,
    operationId: p.integer(),
    /** From 1, the first row after the header. */
    number: p.integer(),
    cells: p.json<string[]>(),
  },
})
