import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { documentCategories } from '../../platform/authz/organization-settings.ts'
import type { Role } from '../../platform/authz/roles.ts'
import { fileColumns, instant, tenantRecord } from '../../platform/db/columns.ts'
import { documentStatuses } from './document.rules.ts'

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
    /** For whom a document of the organization is: members with one of these roles; empty: everybody. */
    roles: p.json<Role[]>(),
    status: p.enum(documentStatuses).default('pending'),
    /** What desk staff say of the document, such as why they rejected it. */
    note: p.text().nullable(),
    /** Who verified it, and when; null unless it is verified. */
    verifiedBy: p.integer().nullable(),
    verifiedAt: instant().nullable(),
    /** When the upload of the present file was arranged. */
    formOpenedAt: instant(),
    /** The last notice of the expiry that was sent, in days before it. A new expiry clears it. */
    expiryToldDays: p.smallint().nullable(),
  },
})
export type Document = InferEntity<typeof Document>
