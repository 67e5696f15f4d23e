import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { name, oneLine, ZoneName } from '../../http/schemas.ts'

const line = oneLine(200).trim().nullable().optional()

/** A postal address in a request body. */
export const AddressInput = z
  .object({
    line1: line,
    line2: line,
    city: line,
    state: line,
    postalCode: oneLine(20).trim().nullable().optional(),
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, fieldErrors.country())
      .nullable()
      .optional(),
  })
  .meta({ id: 'Address' })

/** An airport identifier: ICAO, or the local code of a field without one. */
export const AirportIdentifier = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{3,4}$/, fieldErrors.airport())

export const LocationBody = z.object({
  name: name(200),
  airportIdentifier: AirportIdentifier.nullable().optional(),
  timeZoneName: ZoneName.optional().describe('When left out, the time zone of the organization'),
  address: AddressInput.optional(),
  coordinates: z
    .object({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    })
    .meta({ id: 'Coordinates' })
    .nullable()
    .optional()
    .describe(
      'Degrees north (`latitude`) and east (`longitude`). With coordinates, night takeoffs and landings in logs are ' +
        'checked against sunset and sunrise (14 CFR 61.57(b))',
    ),
})

export const LocationPatch = LocationBody.extend({
  timeZoneName: ZoneName.optional(),
  address: AddressInput.optional().describe('Replaces the whole address'),
}).partial()
