import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import { collectionStyles } from '../reservations/reservation.entity.ts'

/** A flight that a school offers to the public, such as a discovery flight. Its price is cents for the whole flight. */
export const Offering = defineEntity({
  name: 'Offering',
  tableName: 'offering',
  properties: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
    durationMinutes: p.integer(),
    priceCents: p.integer().nullable(),
    collectionStyle: p.enum(collectionStyles),
    active: p.boolean().default(true),
  },
})
export type Offering = InferEntity<typeof Offering>

/** An aircraft on which an offering is flown. */
export const OfferingResource = defineEntity({
  name: 'OfferingResource',
  tableName: 'offering_resource',
  properties: { ...tenantRecord, offeringId: p.integer(), resourceId: p.integer() },
})
export type OfferingResource = InferEntity<typeof OfferingResource>

/** An instructor who flies an offering. */
export const OfferingInstructor = defineEntity({
  name: 'OfferingInstructor',
  tableName: 'offering_instructor',
  properties: { ...tenantRecord, offeringId: p.integer(), membershipId: p.integer() },
})
export type OfferingInstructor = InferEntity<typeof OfferingInstructor>
