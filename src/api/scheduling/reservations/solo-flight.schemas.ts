import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { crossCountryKinds, type SoloFlight as SoloRoute } from '../../../shared/scheduling/rules/solo-flight.rules.ts'
import { oneLine, QueryFlag, queryWords } from '../../http/schemas.ts'

/** Where a solo flight goes. */
export const SoloFlight = z
  .object({ airport: z.string().nullable(), crossCountry: z.enum(crossCountryKinds).nullable(), classB: z.boolean() })
  .meta({ id: 'SoloFlight' })

const Airport = oneLine(10).trim().min(3)

export const SoloInput = z
  .object({
    airport: Airport.nullish()
      .transform((airport) => airport?.toUpperCase() ?? null)
      .describe('The code of the other airport at which the flight lands'),
    crossCountry: z
      .enum(crossCountryKinds)
      .nullish()
      .transform((kind) => kind ?? null)
      .describe(
        '`within25`: to an airport within 25 NM (needs A.8 for it). `repeated50`: repeatedly up to 50 NM (A.9 and ' +
          'A.11). `beyond`: farther (A.9, and A.10 for the day)',
      ),
    classB: z
      .boolean()
      .nullish()
      .transform((classB) => classB ?? false)
      .describe('Whether the flight enters Class B airspace (needs A.12 or A.13)'),
  })
  .describe(
    'Only for solo flights: where the flight goes, which decides the required endorsements (14 CFR 61.93, 61.95). ' +
      'Left out: as the planned lesson says; a lesson that credits solo and cross-country time is `beyond`; otherwise ' +
      'local',
  )
  .meta({ id: 'SoloFlight' })

/** The parameters of a search that say where a solo flight goes. */
export const soloQuery = {
  soloAirport: Airport.optional(),
  soloCrossCountry: queryWords(crossCountryKinds)
    .refine((kinds) => kinds.length === 1, fieldErrors.onlyOne())
    .optional()
    .describe('Where a solo flight goes, as `solo` of a booking; exactly one'),
  soloClassB: QueryFlag.optional(),
}

/** Returns where the solo flight of a search goes; null when its query does not say. */
export function soloOfQuery(query: z.output<z.ZodObject<typeof soloQuery>>): SoloRoute | null {
  const {
    soloAirport: airport = null,
    soloCrossCountry: [crossCountry = null] = [],
    soloClassB: classB = false,
  } = query
  if (airport === null && crossCountry === null && !classB) return null
  return { airport: airport?.toUpperCase() ?? null, crossCountry, classB }
}
