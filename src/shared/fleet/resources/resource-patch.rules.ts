import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { modelKey } from './model-names.rules.ts'
import type { ResourceKind, ResourceTraits } from './resource.rules.ts'
import type { CostFields, FlatResource, ResourceFields, TraitFields } from './resource-body.rules.ts'

/** The fields of a resource that a body can change. Meters are in hundredths of an hour, rates in cents per hour. */
export interface ResourceState {
  traits: ResourceTraits
  serialNumber?: string | null | undefined
  year?: number | null | undefined
  tailNumber?: string | null | undefined
  make?: string | null | undefined
  model?: string | null | undefined
  pool?: string | null | undefined
  endorsedAs: readonly string[]
  flyingDayStartMinute?: number | null | undefined
  flyingDayEndMinute?: number | null | undefined
  dryRateCents?: Cents | null | undefined
  wetRateCents?: Cents | null | undefined
  overnightMinimumTenths?: Tenths | null | undefined
  billByHobbsTime: boolean
  groundedByPerson: boolean
  groundedReason?: string | null | undefined
  fuelEngine1?: number | null | undefined
  fuelEngine2?: number | null | undefined
  hobbsHundredths?: Hundredths | null | undefined
  tachHundredths?: Hundredths | null | undefined
  landings: number
}

const newTraits: Record<ResourceKind, ResourceTraits> = {
  plane: {
    engines: 1,
    category: 'airplane',
    class: null,
    fuelUnits: 'gallons',
    tailwheel: false,
    typeRating: null,
    complex: false,
    highPerformance: false,
    taa: false,
  },
  simulator: { deviceKind: null },
  room: { seats: null },
}

/**
 * Returns the fields of a new resource: billed by the Hobbs meter, in service, and everything else empty or at its
 * default.
 */
export function blankResource(kind: ResourceKind): ResourceState {
  return { traits: newTraits[kind], endorsedAs: [], billByHobbsTime: true, groundedByPerson: false, landings: 0 }
}

/**
 * Returns the fields of a resource after a body is applied. Fields that are absent or null keep their values, except:
 * - an empty text or null clears `serialNumber`, and null clears `year` and `pool`;
 * - null in the two flying-day fields clears them, so that the organization's hours apply; null in a rate or minimum of
 *   `cost` clears it (null is not 0);
 * - every body without `grounded: true` clears the reason of the grounding;
 * - an empty text is stored in `tailNumber`, `make` and `model`.
 * Fields that a kind does not have are ignored: the meters of a room, and tach and fuel of a simulator.
 * Implements interface §Resources (null and empty rules of PATCH).
 */
export function applyResourceBody(
  stored: ResourceState,
  { kind, fields, traits, landings }: FlatResource,
): ResourceState {
  const merged = mergeTraits(stored.traits, traits, kind)
  return {
    traits: merged,
    serialNumber: literal(fields.serialNumber === '' ? null : fields.serialNumber, stored.serialNumber),
    year: literal(fields.year, stored.year),
    tailNumber: fields.tailNumber ?? stored.tailNumber,
    make: fields.make ?? stored.make,
    model: fields.model ?? stored.model,
    pool: pool(stored, fields, kind),
    endorsedAs: kind === 'plane' ? distinctNames(fields.endorsedAs ?? stored.endorsedAs) : stored.endorsedAs,
    ...flyingDay(stored, fields),
    ...cost(stored, fields.cost ?? {}),
    ...grounding(stored, fields, kind),
    ...meters(stored, fields, kind, merged.engines),
    landings: kind === 'plane' ? (landings ?? stored.landings) : stored.landings,
  }
}

/**
 * Returns the fuel of an aircraft after a report. An engine whose figure is absent or null keeps the stored figure.
 * Implements interface §Resources (fuel).
 */
export function fuelled(
  engines: ResourceTraits['engines'],
  stored: Fuel,
  given: Pick<ResourceFields, 'fuelEngine1' | 'fuelEngine2'>,
): Fuel {
  const fuelEngine1 = given.fuelEngine1 ?? stored.fuelEngine1
  if (engines === 2) return { fuelEngine1, fuelEngine2: given.fuelEngine2 ?? stored.fuelEngine2 }
  if (typeof given.fuelEngine2 === 'number') throw fleetErrors.oneEngine()
  return { fuelEngine1, fuelEngine2: null }
}

type Fuel = Pick<ResourceState, 'fuelEngine1' | 'fuelEngine2'>

/**
 * Returns the stored fields of a kind of resource. A field that did not exist when they were stored has its default
 * value.
 */
export function traitsOf(kind: ResourceKind, stored: ResourceTraits): ResourceTraits {
  return { ...newTraits[kind], ...stored }
}

function mergeTraits(stored: ResourceTraits, given: TraitFields, kind: ResourceKind): ResourceTraits {
  const keys = Object.keys(newTraits[kind]) as (keyof ResourceTraits)[]
  return Object.fromEntries(keys.map((key) => [key, given[key] ?? stored[key] ?? newTraits[kind][key]]))
}

/** Returns names without those that differ only in case, spaces and marks from an earlier one. */
function distinctNames(names: readonly string[]): string[] {
  return [...new Map([...names].reverse().map((name) => [modelKey(name), name])).values()].reverse()
}

/** Returns the given value, null included; undefined keeps the stored value. */
function literal<T>(given: T | undefined, stored: T | undefined): T | undefined {
  return given === undefined ? stored : given
}

function pool(stored: ResourceState, fields: ResourceFields, kind: ResourceKind) {
  if (kind === 'room' && fields.pool) throw fleetErrors.roomInPool()
  return literal(fields.pool, stored.pool)
}

function flyingDay(stored: ResourceState, { flyingDayStartMinute: start, flyingDayEndMinute: end }: ResourceFields) {
  if (start === undefined && end === undefined) {
    return { flyingDayStartMinute: stored.flyingDayStartMinute, flyingDayEndMinute: stored.flyingDayEndMinute }
  }
  if (typeof start !== typeof end) {
    const missing = end === undefined || typeof start === 'number' ? 'flyingDayEndMinute' : 'flyingDayStartMinute'
    throw fleetErrors.flyingDayHalf({ field: missing })
  }
  if (start === end && start !== null) throw fleetErrors.flyingDayEmpty()
  return { flyingDayStartMinute: start ?? null, flyingDayEndMinute: end ?? null }
}

function cost(stored: ResourceState, given: CostFields) {
  return {
    dryRateCents: literal(given.dryRate, stored.dryRateCents),
    wetRateCents: literal(given.wetRate, stored.wetRateCents),
    overnightMinimumTenths: literal(given.overnightMinimumTenths, stored.overnightMinimumTenths),
    billByHobbsTime: given.billByHobbsTime ?? stored.billByHobbsTime,
  }
}

function grounding(stored: ResourceState, { grounded, groundedReason }: ResourceFields, kind: ResourceKind) {
  if (kind === 'room' && grounded) throw fleetErrors.roomGrounded()
  if (!grounded) return { groundedByPerson: grounded ?? stored.groundedByPerson, groundedReason: null }
  return { groundedByPerson: true, groundedReason: (groundedReason ?? stored.groundedReason) || null }
}

function meters(stored: ResourceState, fields: ResourceFields, kind: ResourceKind, engines: ResourceTraits['engines']) {
  const { hobbsHundredths, tachHundredths, fuelEngine1, fuelEngine2 } = stored
  const hobbs = kind === 'room' ? hobbsHundredths : (fields.hobbsTime ?? hobbsHundredths)
  if (kind !== 'plane') return { hobbsHundredths: hobbs, tachHundredths, fuelEngine1, fuelEngine2 }
  const tach = fields.tachTime ?? tachHundredths
  return { hobbsHundredths: hobbs, tachHundredths: tach, ...fuelled(engines, stored, fields) }
}
