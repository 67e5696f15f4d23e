import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { fileColumns } from '../../platform/storage/file-columns.ts'
import { fileCategories, fileVisibilities } from './resource-file.rules.ts'

/** A file of an aircraft. Deleted ones keep the row, not the bytes. */
export const ResourceFile = defineEntity({
  name: 'ResourceFile',
  tableName: 'resource_file',
  properties: {
    ...tenantRecord,
    ...fileColumns,
    resourceId: p.integer(),
    category: p.enum(fileCategories),
    visibility: p.enum(fileVisibilities),
    label: p.text().nullable(),
    deletedAt: instant().nullable(),
  },
})
export type ResourceFile = InferEntity<typeof ResourceFile>
