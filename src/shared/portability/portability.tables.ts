import { p } from '@mikro-orm/core'
import { instant, tenantRecord, uploadStates } from '../platform/db/columns.ts'
import { log } from '../platform/db/declare-table.ts'

/** The content of an import, sent or uploaded. It is deleted when its rows are stored, or after a day. */
export const ImportFile = log('import_file', {
  exported: false,
  kept: { days: 1, since: 'createdAt' },
  columns: {
    ...tenantRecord,
    operationId: p.integer(),
    content: p.text().nullable(),
    /** This and the following columns are for an import by upload. They are the same as for any stored file. */
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
