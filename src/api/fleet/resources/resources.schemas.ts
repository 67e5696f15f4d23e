import { z } from 'zod'
import { deviceKinds, fuelUnits, planeCategories } from '../../../shared/fleet/resources/resource.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inTenths } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import {
  CentsInput,
  name,
  oneLine,
  QueryFlag,
  QueryIds,
  QueryText,
  ReadingInput,
  Reference,
  text,
} from '../../http/schemas.ts'

const minute = z.int().min(0).max(1440).nullish()
const label = oneLine(100).nullish()
/** Fuel in whole units of the aircraft. */
const FuelInput = z.int().min(0).max(100_000).meta({ unit: 'In the units of the aircraft' })

/** The fields of a resource that may be beside `type` or inside it. */
const fields = {
  serialNumber: label.describe('An empty text or null clears it').meta({ examples: ['17280001'] }),
  year: z
    .preprocess((given) => (given === '' ? null : given), z.int().min(1900).max(2100).nullish())
    .optional()
    .meta({
      override: { anyOf: [{ type: 'integer', minimum: 1900, maximum: 2100 }, { type: 'null' }, { const: '' }] },
      description: 'An empty text or null clears it',
      examples: [1998],
    }),
  tailNumber: label.meta({ examples: ['N172FL'] }),
  make: label.meta({ examples: ['Cessna'] }),
  model: label.meta({ examples: ['172S'] }),
  flyingDayStartMinute: minute
    .describe("Minutes after local midnight; both or neither; null: the organization's hours")
    .meta({ examples: [420] }),
  flyingDayEndMinute: minute.meta({ examples: [1260] }),
  cost: z
    .object({
      dryRate: CentsInput.nullish().describe('Cents an hour; null is literal'),
      wetRate: CentsInput.nullish().describe('Cents an hour; null is literal'),
      overnightMinimumTenths: inTenths(z.int().min(0).max(1000))
        .nullish()
        .describe("Tenths of an hour a night; null inherits the organization's, 0 exempts the aircraft")
        .meta({ examples: [null] }),
      billByHobbsTime: z.boolean().optional().describe('Not nullable; false bills by the tach'),
    })
    .nullish(),
  grounded: z.boolean().nullish(),
  groundedReason: text(1000)
    .nullish()
    .describe('Send it with `grounded: true`: any update without that empties it')
    .meta({ examples: [null] }),
  fuelEngine1: FuelInput.nullish().meta({ examples: [24] }),
  fuelEngine2: FuelInput.nullish()
    .describe('Only for an aircraft with two engines')
    .meta({ examples: [null] }),
  hobbsTime: ReadingInput.nullish(),
  tachTime: ReadingInput.nullish(),
}

const Plane = z.object({
  engines: z.literal([1, 2]).nullish(),
  category: z.enum(planeCategories).nullish(),
  class: oneLine(60)
    .nullish()
    .meta({ examples: ['single_engine_land'] }),
  fuelUnits: z.enum(fuelUnits).nullish(),
  tailwheel: z
    .boolean()
    .nullish()
    .describe('Its pilots land to a full stop to carry passengers (14 CFR 61.57(a)(1)(ii))'),
  typeRating: oneLine(40)
    .nullish()
    .describe('The type rating that it takes; an empty text is none')
    .meta({ examples: ['CE-525'] }),
  complex: z.boolean().nullish(),
  highPerformance: z.boolean().nullish(),
  taa: z.boolean().nullish().describe('Technically advanced (14 CFR 61.129(j))'),
  landings: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullish()
    .describe('All that it made; those of the flight log are added')
    .meta({ examples: [12_430] }),
  ...fields,
})
const Simulator = z.object({ deviceKind: z.enum(deviceKinds).nullish(), ...fields })
const Room = z.object({ seats: z.int().min(0).max(10_000).nullish(), ...fields })

const TypeInput = z
  .object({ plane: Plane.nullish(), simulator: Simulator.nullish(), room: Room.nullish() })
  .describe('Exactly one of the three; the other fields may stand inside it')
  .meta({ examples: [{ plane: { engines: 1, class: 'single_engine_land', fuelUnits: 'gallons' } }] })

const ResourceName = name(100).meta({ examples: ['N172FL'] })

export const ResourceBody = z.object({ name: ResourceName, location: Reference, type: TypeInput, ...fields })

export const ResourcePatch = z.object({
  name: ResourceName.nullish(),
  location: Reference.nullish(),
  type: TypeInput.describe('Always present, and of the kind that the resource is'),
  ...fields,
})

const locationId = QueryIds.optional().describe('Comma-separated location ids')
const q = QueryText.optional().describe('Looks into name, tail number, make, model and serial number')

export const RoomQuery = ListQuery.extend({ q, locationId })
export const FlyingResourceQuery = RoomQuery.extend({ grounded: QueryFlag.optional() })

export const FuelBody = z
  .object({ fuelEngine1: fields.fuelEngine1, fuelEngine2: fields.fuelEngine2 })
  .refine((body) => typeof body.fuelEngine1 === 'number' || typeof body.fuelEngine2 === 'number', {
    path: ['fuelEngine1'],
    message: fieldErrors.fuelMissing(),
  })

export const GroundingBody = z
  .object({
    grounded: z.boolean(),
    reason: text(1000)
      .trim()
      .nullish()
      .describe('Required when grounding, ignored when returning to service')
      .meta({ examples: ['Nose wheel shimmy'] }),
  })
  .refine((body) => !body.grounded || !!body.reason, { path: ['reason'], message: fieldErrors.whyGrounded() })
