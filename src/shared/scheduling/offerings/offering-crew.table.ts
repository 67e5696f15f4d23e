import { defineEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'

/** An aircraft on which an offering is flown. */
export const OfferingResource = defineEntity({
  name: 'OfferingResource',
  tableName: 'offering_resource',
  properties: { ...tenantRecord, offeringId: p.integer(), resourceId: p.integer() },
})

/** An instructor who flies an offering. */
export const OfferingInstructor = defineEntity({
  name: 'OfferingInstructor',
  tableName: 'offering_instructor',
  properties: { ...tenantRecord, offeringId: p.integer(), membershipId: p.integer() },
})
