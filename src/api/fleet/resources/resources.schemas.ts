import { z } from 'zod'
import { modelKey } from '../../../shared/fleet/resources/model-names.rules.ts'
import { deviceKinds, fuelUnits, planeCategories } from '../../../shared/fleet/resources/resource.rules.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inTenths } from '../../../shared/platform/kernel/units.ts'
import { ListQuery } from '../../http/lists.ts'
import { ReadingInput } from '../../http/reading-schemas.ts'
import { CentsInput, name, oneLine, QueryFlag, QueryIds, QueryText, Reference, text } from '../../http/schemas.ts'

const minute = z.int().min(0).max(1440).nullish()
const label = oneLine(100).nullish()
/** Fuel in whole units of the aircraft. */
const FuelInput = z.int().min(0).max(100_000).meta({ unit: 'Fuel in the units of the aircraft' })

/** The fields of a resource, beside `type`. */
const fields = {
  serialNumber: label.describe('An empty text or null clears it'),
  year: z
    .preprocess((given) => (given === '' ? null : given), z.int().min(1900).max(2100).nullish())
    .optional()
    .meta({
      override: { anyOf: [{ type: 'integer', minimum: 1900, maximum: 2100 }, { type: 'null' }, { const: '' }] },
      description: 'An empty text or null clears it',
    }),
  tailNumber: label,
  make: label,
  model: label,
  pool: name(40)
    .nullish()
    .describe(
      'The name of the pool: aircraft or simulators that a booking may use alike; case does not matter. A booking ' +
        'may name a pool in place of a resource. null clears it',
    ),
  endorsedAs: z
    .array(oneLine(100).refine((name) => modelKey(name) !== '', { error: fieldErrors.namesNothing() }))
    .max(20)
    .nullish()
    .describe(
      'The names of the aircraft’s make and model in endorsements. Case, spaces and hyphens do not matter. An empty ' +
        'list is the default: `make model` and `model`, and for a plain airplane also “Cessna 172”, “172” and “C172” ' +
        'of a 172S Skyhawk',
    ),
  flyingDayStartMinute: minute.describe(
    'Minutes after local midnight. Send both minutes or neither. null means that the organization’s hours apply',
  ),
  flyingDayEndMinute: minute,
  cost: z
    .object({
      dryRate: CentsInput.nullish().describe('Cents an hour. null is stored as no rate'),
      wetRate: CentsInput.nullish().describe('Cents an hour. null is stored as no rate'),
      overnightMinimumTenths: inTenths(z.int().min(0).max(1000))
        .nullish()
        .describe(
          'The minimum time that is billed, in tenths of an hour a night. null means the organization’s value, 0 ' +
            'none',
        ),
      billByHobbsTime: z
        .boolean()
        .optional()
        .describe('`true` bills by the Hobbs meter, `false` by the tach. Cannot be null'),
    })
    .meta({ id: 'ResourceCost' })
    .nullish(),
  grounded: z.boolean().nullish(),
  groundedReason: text(1000)
    .nullish()
    .describe(
      'Why the resource is grounded. Send it together with `grounded: true`; any update without `grounded: true` ' +
        'empties it',
    ),
  fuelEngine1: FuelInput.nullish(),
  fuelEngine2: FuelInput.nullish().describe('Only for aircraft with two engines'),
  hobbsTime: ReadingInput.nullish(),
  tachTime: ReadingInput.nullish(),
}

/** A meter inside `type`, where the starting readings of a new resource may stand. */
function sameAs(meter: 'hobbsTime' | 'tachTime') {
  return fields[meter].describe(
    `Another place for \`${meter}\`. Answers show the field beside \`type\`, which counts; two different values are 400`,
  )
}

const Plane = z.object({
  engines: z.literal([1, 2]).meta({ choices: 'EngineCount' }).nullish(),
  category: z.enum(planeCategories).nullish(),
  class: oneLine(60).nullish(),
  fuelUnits: z.enum(fuelUnits).nullish(),
  tailwheel: z
    .boolean()
    .nullish()
    .describe(
      'Whether it has a tailwheel. Its pilots then need full-stop landings to carry passengers (14 CFR ' +
        '61.57(a)(1)(ii))',
    ),
  typeRating: oneLine(40).nullish().describe('The type rating that pilots need. An empty text means none'),
  complex: z.boolean().nullish(),
  highPerformance: z.boolean().nullish(),
  taa: z.boolean().nullish().describe('Whether it is a technically advanced airplane (14 CFR 61.129(j))'),
  landings: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullish()
    .describe('The total number of landings. Landings of the flight log are added to it'),
  hobbsTime: sameAs('hobbsTime'),
  tachTime: sameAs('tachTime'),
})
const Simulator = z.object({ deviceKind: z.enum(deviceKinds).nullish(), hobbsTime: sameAs('hobbsTime') })
const Room = z.object({ seats: z.int().min(0).max(10_000).nullish() })

const TypeInput = z
  .object({ plane: Plane.nullish(), simulator: Simulator.nullish(), room: Room.nullish() })
  .describe(
    'The fields that only this kind of resource has: exactly one of the three objects. All other fields are beside ' +
      '`type`',
  )
  .meta({
    id: 'ResourceType',
  })

const ResourceName = name(100)

export const ResourceBody = z.object({ name: ResourceName, location: Reference, type: TypeInput, ...fields })

export const ResourcePatch = z.object({
  name: ResourceName.nullish(),
  location: Reference.nullish(),
  type: TypeInput.describe('Required: the object that is named after the kind of the resource'),
  ...fields,
})

const locationId = QueryIds.optional().describe('Location ids, separated by commas').meta({ id: 'ResourceLocationId' })
const q = QueryText.optional()
  .describe('Searches name, tail number, make, model and serial number')
  .meta({ id: 'ResourceSearch' })

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
    reason: text(1000).trim().nullish().describe('Required for grounding, ignored otherwise'),
  })
  .refine((body) => !body.grounded || !!body.reason, { path: ['reason'], message: fieldErrors.whyGrounded() })
