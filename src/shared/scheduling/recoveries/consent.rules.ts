import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { payersOf } from '../reservations/payers.rules.ts'
import type { Seated } from '../reservations/place.rules.ts'
import type { Problem } from '../rules/problems.ts'
import type { Consent } from './recovery.types.ts'

/** An aircraft, simulator or room as a choice of a plan. */
export interface ResourceChoice {
  id: number
  kind: string
  name: string
  pool: string | null
  make: string | null
  model: string | null
}

/** Returns whether a student need not tell two resources apart: they are of one pool, or of the same make and model. */
export function isAlike(one: ResourceChoice, other: ResourceChoice): boolean {
  if (one.id === other.id || inOnePool(one, other)) return true
  return one.model !== null && one.make === other.make && one.model === other.model
}

/** Returns whether two resources are of one pool; pools are compared without case. */
export function inOnePool(one: ResourceChoice, other: ResourceChoice): boolean {
  return one.pool !== null && one.pool.toLowerCase() === other.pool?.toLowerCase()
}

/** A place of a booking as its people see it. */
export interface SeenPlace {
  start: Date
  instructorId: number | null
  resource: ResourceChoice | null
  locationId: number | null
  /** The estimated cost, in cents. */
  cost: Cents
  /** What the rules warn of there. */
  warnings: readonly Problem[]
}

/**
 * Returns who has to agree to another place, and to what. Nobody has to for another aircraft of the pool or model at the same location, when
 * it costs no more and nothing new is warned of about a person. A booking that would still be accepted where it stands always asks.
 * Implements interface §Recovery.
 */
export function consentFor(
  { type, seats, stands }: { type: ReservationType; seats: readonly Seated[]; stands: boolean },
  from: SeenPlace,
  to: SeenPlace,
): Consent[] {
  const [leading] = payersOf(type, seats)
  if (!leading || typeRules[type].pays === null) return []
  const causes: Consent['because'][] = []
  if (to.start.getTime() !== from.start.getTime()) causes.push('other_time')
  if (to.instructorId !== from.instructorId) causes.push('other_instructor')
  const moves = to.resource?.id !== from.resource?.id
  if (moves && !isFreeMove(from, to)) causes.push('other_aircraft')
  if (stands && causes.length === 0) causes.push('other_aircraft')
  return causes.map((because) => ({ orgUserId: leading.orgUserId, because }))
}

function isFreeMove(from: SeenPlace, to: SeenPlace): boolean {
  if (!from.resource || !to.resource || !isAlike(from.resource, to.resource)) return false
  if (to.locationId !== from.locationId || to.cost > from.cost) return false
  const known = new Set(from.warnings.map(nameOf))
  return to.warnings.every((one) => one.orgUserId === undefined || known.has(nameOf(one)))
}

function nameOf({ rule, orgUserId }: Problem): string {
  return `${rule} ${orgUserId}`
}
