import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { type ResourceKind, type ResourceTraits, resourceKinds } from './resource.rules.ts'

/**
 * The fields that every kind of resource has in a body, either beside the `type` object or inside it. Meters are in
 * hundredths of an hour, rates in cents per hour.
 */
export interface ResourceFields {
  serialNumber?: string | null | undefined
  year?: number | null | undefined
  tailNumber?: string | null | undefined
  make?: string | null | undefined
  model?: string | null | undefined
  flyingDayStartMinute?: number | null | undefined
  flyingDayEndMinute?: number | null | undefined
  cost?: CostFields | null | undefined
  grounded?: boolean | null | undefined
  groundedReason?: string | null | undefined
  fuelEngine1?: number | null | undefined
  fuelEngine2?: number | null | undefined
  hobbsTime?: Hundredths | null | undefined
  tachTime?: Hundredths | null | undefined
}

export interface CostFields {
  dryRate?: Cents | null | undefined
  wetRate?: Cents | null | undefined
  overnightMinimumTenths?: Tenths | null | undefined
  billByHobbsTime?: boolean | undefined
}

/** The fields that only one kind of resource has, as given in a body; null keeps the stored value. */
export type TraitFields = { [Key in keyof ResourceTraits]?: ResourceTraits[Key] | null | undefined }

type Inner = ResourceFields & TraitFields & { landings?: number | null | undefined }

/** The `type` object: exactly one kind. */
export type TypeBody = { [Kind in ResourceKind]?: Inner | null | undefined }

/** A body with its `type` unpacked: the kind, and all fields in one object. */
export interface FlatResource {
  kind: ResourceKind
  fields: ResourceFields
  traits: TraitFields
  /** The aircraft's total landings; null keeps the stored count. */
  landings: number | null
}

const fieldKeys = [
  'serialNumber',
  'year',
  'tailNumber',
  'make',
  'model',
  'flyingDayStartMinute',
  'flyingDayEndMinute',
  'grounded',
  'groundedReason',
  'fuelEngine1',
  'fuelEngine2',
  'hobbsTime',
  'tachTime',
] as const satisfies (keyof ResourceFields)[]

const costKeys = [
  'dryRate',
  'wetRate',
  'overnightMinimumTenths',
  'billByHobbsTime',
] as const satisfies (keyof CostFields)[]

/**
 * Returns a body with its `type` object unpacked. A field may be inside it or beside it, with the same meaning.
 * Implements interface §Resources (`type`).
 */
export function flattenResource({ type, ...beside }: ResourceFields & { type: TypeBody }): FlatResource {
  const [kind, another] = resourceKinds.filter((name) => type[name] !== undefined && type[name] !== null)
  if (!kind || another) throw fleetErrors.severalKinds({ kinds: resourceKinds.join(', ') })
  const inside: Inner = type[kind] ?? {}
  const place = `type.${kind}`
  const cost =
    beside.cost || inside.cost ? merge(costKeys, beside.cost ?? {}, inside.cost ?? {}, `${place}.cost`) : undefined
  return {
    kind,
    fields: { ...merge(fieldKeys, beside, inside, place), ...(cost && { cost }) },
    traits: inside,
    landings: inside.landings ?? null,
  }
}

/**
 * Returns the values of the given keys from beside and inside the `type` object.
 * @throws Invalid when the two have different values for a key
 */
function merge<T extends object>(keys: readonly (keyof T & string)[], beside: T, inside: T, place: string): T {
  const merged: Partial<T> = {}
  for (const key of keys) {
    const [outer, inner] = [beside[key], inside[key]]
    if (outer !== undefined && inner !== undefined && outer !== inner) {
      throw fleetErrors.saysOtherwise({ field: `${place}.${key}` })
    }
    const given = inner === undefined ? outer : inner
    if (given !== undefined) merged[key] = given
  }
  return merged as T
}

/** Decides whether a body reports an aircraft's fuel. Implements interface §Resources (fuel). */
export function reportsFuel({ kind, fields }: FlatResource): boolean {
  return kind === 'plane' && (typeof fields.fuelEngine1 === 'number' || typeof fields.fuelEngine2 === 'number')
}
