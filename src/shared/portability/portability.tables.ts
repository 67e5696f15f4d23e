import { p } from '@mikro-orm/core'
import { instant, tenantRecord, uploadStates } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'

/** What was sent to be imported, until its rows are written. */
export const ImportFile = log('import_file', {
  exported: false,
  kept: { days: 1, since: 'createdAt' },
  columns: {
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

/** The cells of a row of an import, in the order of its header. */
export const ImportRow = log('import_row', {
  exported: false,
  kept: { days: 1, since: 'createdAt' },
  mayName: ['cells'],
  columns: {
    ...tenantRecord,
    operationId: p.integer(),
    /** From 1, the first row after the header. */
    number: p.integer(),
    cells: p.json<string[]>(),
  },
})
