import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { documentCategories } from '../../platform/authz/organization-settings.ts'
import type { Role } from '../../platform/authz/roles.ts'
import { fileColumns, instant, tenantRecord } from '../../platform/db/columns.ts'
import { documentStatuses } from './document.rules.ts'

/**
 * A document of a member, or of the organization when `membershipId` is null. Deletion removes the row and the file.
 */
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
    /** The roles that see a document of the organization; empty: everyone. */
    roles: p.json<Role[]>(),
    status: p.enum(documentStatuses).default('pending'),
    /** The reviewer's note, such as why the document is rejected. */
    note: p.text().nullable(),
    /** Who verified it, and when; null unless it is verified. */
    verifiedBy: p.integer().nullable(),
    verifiedAt: instant().nullable(),
    /** When the upload form of the present file was opened. */
    formOpenedAt: instant(),
    /** The days before the expiry of the last notice sent. A new expiry clears it. */
    expiryToldDays: p.smallint().nullable(),
    /** Set when its member left: until when the law has the organization keep it. */
    keptUntil: instant().nullable(),
  },
})
export type Document = InferEntity<typeof Document>
