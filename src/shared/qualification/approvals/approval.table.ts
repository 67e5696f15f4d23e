import { defineEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/**
 * A member's permission to fly an aircraft, or every aircraft of a make and model, where the organization requires
 * approval. It holds for bookings that start before it ends.
 */
export const ResourceApproval = defineEntity({
  name: 'ResourceApproval',
  tableName: 'resource_approval',
  properties: {
    ...tenantRecord,
    resourceId: p.integer().nullable(),
    membershipId: p.integer(),
    make: p.text().nullable(),
    model: p.text().nullable(),
    expiresAt: instant().nullable(),
    approvedBy: p.integer(),
  },
})
