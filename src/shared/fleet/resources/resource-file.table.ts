import { defineEntity, p } from '@mikro-orm/core'
import { fileColumns, instant, tenantRecord } from '../../platform/db/columns.ts'
import { fileCategories, fileVisibilities } from './resource.rules.ts'

/**
 * A file of an aircraft. A deleted file keeps its row; its bytes are deleted.
 * Kysely writes the table; the ORM only declares its columns.
 */
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
    /** The instant from which it no longer counts for a release. */
    expiresAt: instant().nullable(),
    /** The squawk that it belongs to; null for a file of the aircraft itself. */
    squawkId: p.integer().nullable(),
    /** The completed maintenance that it belongs to; null for a file of the aircraft itself. */
    completionId: p.integer().nullable(),
    deletedAt: instant().nullable(),
  },
})
