import type { ResourceKind, ResourceTraits } from './resource.rules.ts'
import { traitsOf } from './resource-patch.rules.ts'

/** What is the same for all aircraft or simulators of a pool: who may fly one of them may fly each. */
const sameInPool = [
  'category',
  'class',
  'engines',
  'complex',
  'highPerformance',
  'tailwheel',
  'typeRating',
  'deviceKind',
] as const satisfies (keyof ResourceTraits)[]

interface PoolMember {
  kind: ResourceKind
  traits: ResourceTraits
}

/** Returns the fields in which two resources differ that may not differ within a pool. Case does not matter. */
export function poolDifferences(one: PoolMember, other: PoolMember): string[] {
  if (one.kind !== other.kind) return ['kind']
  const [ours, theirs] = [one, other].map(({ kind, traits }) => traitsOf(kind, traits))
  return sameInPool.filter((key) => comparable(ours?.[key]) !== comparable(theirs?.[key]))
}

/** Returns the form in which a field is compared; an empty text is none. */
function comparable(value: ResourceTraits[keyof ResourceTraits]) {
  return typeof value === 'string' ? value.trim().toLowerCase() || null : (value ?? null)
}
