import { type ReservationType, type Side, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** A person on a side of a booking: a member or a guest. */
export interface Seated {
  side: Side
  orgUserId: number | null
  guestId: number | null
}

/** The time, resource, location and people of a booking, each side in its order. */
export interface Place extends Interval {
  resourceId: number | null
  locationId: number | null
  seats: readonly Seated[]
}

/** The parts of a place as the event log stores them: instants in ISO 8601, people as ids by side. */
export interface PlaceParts {
  start?: string
  end?: string
  resourceId?: number | null
  locationId?: number | null
  personnel?: Partial<Record<Side, number[]>>
}

/** The time, resource and people of a booking, in that form. */
export type StoredPlace = Required<Omit<PlaceParts, 'locationId'>>

/**
 * Returns the parts of a booking's place that differ, before and after; null when none does. Implements
 * interface §Reservations, PATCH.
 */
export function placeChanges(from: Place, to: Place): { before: PlaceParts; after: PlaceParts } | null {
  const [before, after] = [wholePlace(from), wholePlace(to)]
  const isMoved = before.start !== after.start || before.end !== after.end
  const changed = (['resourceId', 'locationId', 'personnel'] as const).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const keys = [...(isMoved ? (['start', 'end'] as const) : []), ...changed]
  if (keys.length === 0) return null
  const some = (parts: PlaceParts): PlaceParts => Object.fromEntries(keys.map((key) => [key, parts[key]]))
  return { before: some(before), after: some(after) }
}

/** Returns whether two places are the same. */
export function isSamePlace(one: Place, other: Place): boolean {
  return placeChanges(one, other) === null
}

/** Returns all parts of a booking's place as the event log stores them. */
export function wholePlace({ start, end, resourceId, locationId, seats }: Place): Required<PlaceParts> {
  const sides = Map.groupBy(seats, ({ side }) => side)
  const personnel = Object.fromEntries(
    [...sides]
      .map(([side, on]) => [side, on.map(({ orgUserId, guestId }) => orgUserId ?? guestId ?? 0)] as const)
      .sort(),
  )
  return { start: start.toISOString(), end: end.toISOString(), resourceId, locationId, personnel }
}

/** Returns whether two seats are of the same person, even on different sides. */
export function isSamePerson(one: Omit<Seated, 'side'>, other: Omit<Seated, 'side'>): boolean {
  return one.orgUserId === other.orgUserId && one.guestId === other.guestId
}

/**
 * Returns whether a member may change the resource, location or people of a booking: true for desk staff, its instructor, and
 * its creator if seated on it. Implements interface §Reservations, PATCH.
 */
export function mayReassign(
  { createdBy, seats }: { createdBy: number; seats: readonly Seated[] },
  { orgUserId, roles }: { orgUserId: number; roles: RoleFlags },
): boolean {
  if (hasRole(roles, deskStaff)) return true
  const own = seats.filter((seat) => seat.orgUserId === orgUserId)
  return own.some(({ side }) => side === 'instructors') || (own.length > 0 && createdBy === orgUserId)
}

/**
 * Returns whether a change of people replaces the leading payer (the first seat on the side that pays) or a guest. In a
 * prepaid booking the package invoice would then name a person who is not on it. Implements interface §Reservations rule 7.
 */
export function payerWouldChange(type: ReservationType, from: readonly Seated[], to: readonly Seated[]): boolean {
  const { pays } = typeRules[type]
  const leading = (seats: readonly Seated[]) => keyOf(seats.filter(({ side }) => side === pays).slice(0, 1))
  const guests = (seats: readonly Seated[]) => keyOf(seats.filter(({ side }) => side === 'guests'))
  return leading(from) !== leading(to) || guests(from) !== guests(to)
}

function keyOf(seats: readonly Seated[]): string {
  return seats.map(({ orgUserId, guestId }) => `${orgUserId}/${guestId}`).join()
}
