import { z } from 'zod'
import type { LocationRow } from '../../../shared/identity/organizations/organization.queries.ts'
import { stationOf } from '../../../shared/scheduling/weather/weather.rules.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'

/** A location by its name, with its zone. */
export const LocationReference = z
  .object({ id: Id, name: z.string(), timeZoneName: z.string() })
  .meta({ id: 'LocationReference' })

/** A postal address in a response. The public detail has no address lines. */
export const AddressView = z
  .object({
    line1: z.string().nullable().optional(),
    line2: z.string().nullable().optional(),
    city: z.string().nullable().optional(),
    state: z.string().nullable().optional(),
    postalCode: z.string().nullable().optional(),
    country: z.string().nullable().optional(),
  })
  .meta({ id: 'Address' })

export const Location = z
  .object({
    id: Id,
    name: z.string(),
    airportIdentifier: z.string().nullable(),
    weatherStation: z
      .string()
      .nullable()
      .describe('The weather station of the airport, for `GET /weather/{station}`. null without an airport'),
    timeZoneName: z.string(),
    address: AddressView,
    coordinates: z
      .object({
        latitude: z.number(),
        longitude: z.number(),
      })
      .nullable()
      .describe('Degrees north (`latitude`) and east (`longitude`)'),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'OrganizationLocation' })

export function locationView(row: LocationRow): z.input<typeof Location> {
  return {
    id: row.id,
    name: row.name,
    airportIdentifier: row.airport_identifier,
    weatherStation: stationOf(row.airport_identifier),
    timeZoneName: row.time_zone_name,
    address: row.address as z.input<typeof AddressView>,
    coordinates:
      row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
