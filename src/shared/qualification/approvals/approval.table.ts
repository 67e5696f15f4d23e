import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** A member's permission to fly an aircraft, where the organization requires approval. */
export const ResourceApproval = defineEntity({
  name: 'ResourceApproval',
  tableName: 'resource_approval',
  properties: { ...tenantRecord, resourceId: p.integer(), membershipId: p.integer(), approvedBy: p.integer() },
})
