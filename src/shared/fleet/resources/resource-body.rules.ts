import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { type ResourceKind, type ResourceTraits, resourceKinds } from './resource.rules.ts'

/**
 * The fields that every kind of resource has in a body, beside the `type` object. Meters are in hundredths of an hour,
 * rates in cents per hour.
 */
export interface ResourceFields {
  serialNumber?: string | null | undefined
  year?: number | null | undefined
  tailNumber?: string | null | undefined
  make?: string | null | undefined
  model?: string | null | undefined
  pool?: string | null | undefined
  endorsedAs?: readonly string[] | null | undefined
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

type Meters = Pick<ResourceFields, 'hobbsTime' | 'tachTime'>
type Inner = Meters & TraitFields & { landings?: number | null | undefined }

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

const meterKeys = ['hobbsTime', 'tachTime'] as const satisfies (keyof Meters)[]

/**
 * Returns a body with its `type` object unpacked. A meter may be inside it or beside it, with the same meaning.
 * Implements interface §Resources (`type`).
 */
export function flattenResource({ type, ...beside }: ResourceFields & { type: TypeBody }): FlatResource {
  const [kind, another] = resourceKinds.filter((name) => type[name] !== undefined && type[name] !== null)
  if (!kind || another) throw fleetErrors.severalKinds({ kinds: resourceKinds.join(', ') })
  const { hobbsTime, tachTime, landings = null, ...traits }: Inner = type[kind] ?? {}
  const inside: Meters = { hobbsTime, tachTime }
  const fields = { ...beside }
  for (const key of meterKeys) {
    if (inside[key] === undefined) continue
    if (beside[key] !== undefined && beside[key] !== inside[key]) {
      throw fleetErrors.saysOtherwise({ field: `type.${kind}.${key}` })
    }
    fields[key] = inside[key]
  }
  return { kind, fields, traits, landings }
}

/** Decides whether a body reports an aircraft's fuel. Implements interface §Resources (fuel). */
export function reportsFuel({ kind, fields }: FlatResource): boolean {
  return kind === 'plane' && (typeof fields.fuelEngine1 === 'number' || typeof fields.fuelEngine2 === 'number')
}
