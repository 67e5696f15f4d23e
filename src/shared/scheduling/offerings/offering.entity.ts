import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
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
    priceCents: p.integer().$type<Cents>().nullable(),
    collectionStyle: p.enum(collectionStyles),
    active: p.boolean().default(true),
  },
})
export type Offering = InferEntity<typeof Offering>
