import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../db/columns.ts'
import { fileCategories, fileVisibilities } from './resource-file.rules.ts'

/**
 * Whether the bytes are there: `awaited` until the upload is over, then `stored`, or `missing` when nobody came.
 */
const uploadStates = ['awaited', 'stored', 'missing'] as const

/** A file held on an aircraft. Deleted ones keep the row, not the bytes. */
export const ResourceFile = defineEntity({
  name: 'ResourceFile',
  tableName: 'resource_file',
  properties: {
    ...tenantRecord,
    resourceId: p.integer(),
    category: p.enum(fileCategories),
    visibility: p.enum(fileVisibilities),
    label: p.text().nullable(),
    fileName: p.text(),
    contentType: p.text(),
    storageKey: p.text(),
    upload: p.enum(uploadStates).default('awaited'),
    uploadedBy: p.integer(),
    deletedAt: instant().nullable(),
  },
})
export type ResourceFile = InferEntity<typeof ResourceFile>
