import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../../platform/db/columns.ts'
import type { Address } from '../organizations/organization.entity.ts'

/** An airport or place that the organization flies from. Scheduling there uses its time zone. */
export const Location = defineEntity({
  name: 'Location',
  tableName: 'location',
  properties: {
    ...tenantRecord,
    name: p.text(),
    airportIdentifier: p.text().nullable(),
    timeZoneName: p.text(),
    address: p.json<Address>(),
  },
})
export type Location = InferEntity<typeof Location>
