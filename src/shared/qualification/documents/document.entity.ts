import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { fileColumns } from '../../platform/storage/file-columns.ts'
import { documentCategories } from './document.rules.ts'

/** A document of a member, or of the organization without one. Deletion removes row and bytes. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    ...tenantRecord,
    ...fileColumns,
    title: p.text(),
    category: p.enum(documentCategories),
    membershipId: p.integer().nullable(),
    expiresAt: instant().nullable(),
    /** When the last notification of the expiry was sent: one before it, one after it. A new expiry clears it. */
    expiryToldAt: instant().nullable(),
  },
})
export type Document = InferEntity<typeof Document>
