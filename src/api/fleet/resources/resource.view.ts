import { z } from 'zod'
import { groundedBy } from '../../../shared/fleet/fleet.tables.ts'
import { namesOf } from '../../../shared/fleet/resources/model-names.rules.ts'
import type { ResourceRow } from '../../../shared/fleet/resources/resource.queries.ts'
import {
  deviceKinds,
  fuelUnits,
  maintenanceScopes,
  planeCategories,
  resourceKinds,
} from '../../../shared/fleet/resources/resource.rules.ts'
import { traitsOf } from '../../../shared/fleet/resources/resource-patch.rules.ts'
import { readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../../shared/platform/kernel/units.ts'
import { iso } from '../../http/iso.ts'
import { Reading } from '../../http/reading-schemas.ts'
import { suggestedRecovery } from '../../http/recovery-request.ts'
import { Cents, Id, Instant } from '../../http/schemas.ts'
import { LocationReference } from '../../identity/locations/location.view.ts'

const Type = z
  .object({
    plane: z
      .object({
        engines: z.int(),
        category: z.enum(planeCategories).meta({ choices: 'PlaneCategory' }),
        class: z.string().nullable(),
        fuelUnits: z.enum(fuelUnits).meta({ choices: 'FuelUnits' }),
        tailwheel: z.boolean(),
        typeRating: z.string().nullable(),
        complex: z.boolean(),
        highPerformance: z.boolean(),
        taa: z.boolean().describe('Whether it is a technically advanced airplane'),
        landings: z.int(),
      })
      .optional(),
    simulator: z.object({ deviceKind: z.enum(deviceKinds).nullable() }).optional(),
    room: z.object({ seats: z.int().nullable() }).optional(),
  })
  .describe('One object, named after the kind of the resource, with what only this kind has')
  .meta({
    id: 'ResourceType',
  })

const Fuel = z.int().meta({ unit: 'Fuel in the units of the aircraft' })

/** An aircraft, simulator or room. */
export const Resource = z
  .object({
    id: Id,
    name: z.string(),
    kind: z.enum(resourceKinds),
    location: LocationReference,
    type: Type,
    serialNumber: z.string().nullable(),
    year: z.int().nullable(),
    tailNumber: z.string().nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    pool: z
      .string()
      .nullable()
      .describe('The name of the pool: aircraft or simulators that a booking may use alike. null: in no pool'),
    endorsedAs: z
      .array(z.string())
      .describe('The names of the aircraft’s make and model in endorsements and hours: the given ones, or the default'),
    flyingDayStartMinute: z
      .int()
      .nullable()
      .describe('Minutes after local midnight. null means that the organization’s hours apply'),
    flyingDayEndMinute: z.int().nullable(),
    cost: z
      .object({
        dryRate: Cents.nullable().describe('Cents an hour'),
        wetRate: Cents.nullable().describe('Cents an hour'),
        overnightMinimumTenths: z
          .int()
          .nullable()
          .describe('Tenths of an hour a night. null means the organization’s value'),
        billByHobbsTime: z.boolean(),
      })
      .meta({ id: 'ResourceCost' }),
    grounded: z.boolean(),
    groundedReason: z.string().nullable(),
    groundedBy: z
      .enum(groundedBy)
      .nullable()
      .describe(
        'Who grounded it; null when it is not grounded. `person`: until somebody returns it to service. `system`: ' +
          'until no squawk and no reminder holds it. When both apply, it is `person`',
      ),
    holds: z
      .array(
        z
          .object({
            reminderId: Id,
            scope: z.enum(maintenanceScopes).meta({ choices: 'MaintenanceScope' }),
            name: z.string(),
          })
          .meta({ id: 'ResourceHold' }),
      )
      .describe(
        'The overdue reminders with `grounding`. When the scope of a reminder is not `all`, only bookings of its ' +
          'scope are refused; the resource itself is not grounded',
      ),
    fuelEngine1: Fuel.nullable(),
    fuelEngine2: Fuel.nullable(),
    fuelUpdatedAt: Instant.nullable(),
    hobbsTime: Reading.nullable(),
    tachTime: Reading.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Resource' })

/** A changed resource, with what becomes of its bookings when it is grounded. */
export const ChangedResource = Resource.extend({ recovery: suggestedRecovery }).meta({ id: 'ChangedResource' })

/** Returns a resource as the response shows it. Implements interface §Resource. */
export function resourceView(row: ResourceRow): z.input<typeof Resource> {
  const holder = row.grounded_by_person ? 'person' : row.system_hold_reason === null ? null : 'system'
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    location: { id: row.location_id, name: row.location_name, timeZoneName: row.location_zone },
    type: { [row.kind]: { ...traitsOf(row.kind, row.traits), landings: row.landings } },
    serialNumber: row.serial_number,
    year: row.year,
    tailNumber: row.tail_number,
    make: row.make,
    model: row.model,
    pool: row.pool,
    endorsedAs: row.kind === 'plane' ? namesOf({ ...row, endorsedAs: row.endorsed_as }, row.unlike) : [],
    flyingDayStartMinute: row.flying_day_start_minute,
    flyingDayEndMinute: row.flying_day_end_minute,
    cost: {
      dryRate: row.dry_rate_cents,
      wetRate: row.wet_rate_cents,
      overnightMinimumTenths: row.overnight_minimum_tenths,
      billByHobbsTime: row.bill_by_hobbs_time,
    },
    grounded: holder !== null,
    groundedReason: row.grounded_reason ?? row.system_hold_reason,
    groundedBy: holder,
    holds: row.holds,
    fuelEngine1: row.fuel_engine1,
    fuelEngine2: row.fuel_engine2,
    fuelUpdatedAt: iso(row.fuel_updated_at),
    hobbsTime: reading(row.hobbs_hundredths),
    tachTime: reading(row.tach_hundredths),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

function reading(hundredths: Hundredths | null): number | null {
  return hundredths === null ? null : readingToNumber(hundredths)
}
