import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import { type MaintenanceHold, type ResourceTraits, resourceKinds } from './resource.rules.ts'

/** Who grounded a resource: a person, who has to end it, or the system, whose hold ends by itself. */
export const groundedBy = ['person', 'system'] as const

/**
 * An aircraft, simulator or room. Meters are hundredths of an hour; rates are cents an hour. Foreign keys refer to a
 * resource by (organization_id, id).
 */
export const Resource = defineEntity({
  name: 'Resource',
  tableName: 'resource',
  properties: {
    ...tenantRecord,
    name: p.text(),
    /** What the school's own system calls it. */
    externalId: p.text().nullable(),
    kind: p.enum(resourceKinds),
    locationId: p.integer(),
    traits: p.json<ResourceTraits>(),
    serialNumber: p.text().nullable(),
    year: p.integer().nullable(),
    tailNumber: p.text().nullable(),
    make: p.text().nullable(),
    model: p.text().nullable(),
    flyingDayStartMinute: p.smallint().nullable(),
    flyingDayEndMinute: p.smallint().nullable(),
    dryRateCents: p.integer().$type<Cents>().nullable(),
    wetRateCents: p.integer().$type<Cents>().nullable(),
    overnightMinimumTenths: p.integer().$type<Tenths>().nullable(),
    billByHobbsTime: p.boolean().default(true),
    groundedByPerson: p.boolean().default(false),
    groundedReason: p.text().nullable(),
    /** The reasons of the system hold; null when nothing is outstanding. */
    systemHoldReason: p.text().nullable(),
    /** The overdue grounding items, with the bookings that each holds. */
    holds: p.json<MaintenanceHold[]>().defaultRaw("'[]'"),
    fuelEngine1: p.integer().nullable(),
    fuelEngine2: p.integer().nullable(),
    fuelUpdatedAt: instant().nullable(),
    hobbsHundredths: p.integer().$type<Hundredths>().nullable(),
    tachHundredths: p.integer().$type<Hundredths>().nullable(),
    /** Its total landings: the reported count and those of the flight log since. */
    landings: p.integer().default(0),
  },
})
export type Resource = InferEntity<typeof Resource>
