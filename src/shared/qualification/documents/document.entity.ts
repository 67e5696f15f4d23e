import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import { fileColumns } from '../../platform/storage/file-columns.ts'
import { documentCategories } from './document.rules.ts'

/** A paper of a member, or of the organization when it is nobody's. A deleted one leaves neither row nor bytes. */
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
    /** When its end was last told of: before it, and once more from then on. A new end begins anew. */
    expiryToldAt: instant().nullable(),
  },
})
export type Document = InferEntity<typeof Document>
