import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, BookingTimes, ResourceFacts, SeatFacts } from './booking-facts.types.ts'
import { type BookingInput, peopleOf, type SeatInput } from './booking-input.types.ts'
import { noOverrides } from './override.types.ts'
import { qualificationsFor } from './qualifications.rules.ts'
import { busyFor } from './resource.rules.ts'
import { loadSchedulingSnapshot, type SchedulingSnapshot } from './scheduling-snapshot.queries.ts'

/**
 * Returns the facts that the booking rules need for a booking, or for all bookings of its series, which are within `span`.
 * `pooled` are the resources among which a booking without one chooses.
 * @throws Invalid when the organization does not have the resource or a person.
 */
export async function loadBookingFacts(
  db: Db,
  actor: Actor,
  now: Date,
  input: BookingInput,
  span: Interval = input,
  pooled: readonly number[] = [],
): Promise<BookingFacts & { locationId: number | null; pooled: PlacedResource[] }> {
  const resourceIds = input.resourceId === null ? pooled : [input.resourceId]
  const snapshot = await loadSchedulingSnapshot(db, actor.organizationId, {
    ...peopleOf(input.seats),
    resourceIds,
    span,
    now,
    exceptRequestId: input.requestId,
    exceptOfferId: input.offerId,
    countsOffers: input.countsOffers,
    callerId: actor.orgUserId,
    lessonIds: input.lessonIds,
    ...qualificationsFor(input.type, actor.organization.settings),
  })
  const resources = new Map(
    [...snapshot.resources.values()].map((one) => [
      one.id,
      { ...one, ...busyFor(actor, snapshot.taken.resources.get(one.id), input.offerId !== undefined) },
    ]),
  )
  const resource = input.resourceId === null ? null : (resources.get(input.resourceId) ?? null)
  if (input.resourceId !== null && !resource) throw fleetErrors.unknownResource({ field: 'resource.id' })
  return {
    ...organizationFacts(actor, now, snapshot),
    booking: timesOf(input),
    seats: input.seats.map((seat) => seatFacts(seat, snapshot)),
    resource,
    locationId: resource?.locationId ?? null,
    pooled: pooled.flatMap((id) => resources.get(id) ?? []),
  }
}

/** A resource with its location. */
export type PlacedResource = ResourceFacts & { locationId: number }

/** Returns the facts of a booking that do not depend on its resource and people. */
export function timesOf({ collectionStyle, ...input }: BookingInput): BookingTimes {
  const { id, type, zone, start, end, locationId, passengers, ifr, solo = null, lessonIds = [] } = input
  const prepaid = collectionStyle === 'prepaid_fixed'
  return { id, type, zone, start, end, locationId, passengers, ifr, solo, prepaid, lessonIds }
}

/** Returns the facts that are the same for every booking of a principal. */
export function organizationFacts(
  principal: BookingPrincipal,
  now: Date,
  { currencies, taken, weather, instrumentLessons, crossCountryLessons }: SchedulingSnapshot,
) {
  const { settings, timeZoneName } = principal.organization
  return {
    now,
    zone: timeZoneName,
    actor: principal,
    settings,
    currencies,
    callerBookings: taken.caller,
    closures: taken.closures,
    offers: taken.offers,
    overrides: noOverrides,
    instrumentLessons,
    crossCountryLessons,
    weather,
  }
}

/**
 * Returns the facts of a seat.
 * @throws Invalid when the organization has no such member or guest.
 */
export function seatFacts(seat: SeatInput, snapshot: SchedulingSnapshot): SeatFacts {
  const { side, index } = seat
  const field = `personnel.${side}.${index}`
  if ('orgUserId' in seat) {
    const { orgUserId } = seat
    const known = snapshot.members.get(orgUserId)
    if (!known) throw identityErrors.unknownMember({ field: `${field}.orgUserId` })
    const { name, ...facts } = known
    const taken = snapshot.taken.members.get(orgUserId) ?? []
    const training = snapshot.taken.training.get(orgUserId) ?? []
    return { side, orgUserId, guestId: null, name, member: facts, taken, training }
  }
  const guest = { side, orgUserId: null, member: null, training: [] }
  if (!('guestId' in seat)) return { ...guest, guestId: null, name: seat.name, taken: [] }
  const { guestId } = seat
  const name = snapshot.guests.get(guestId)
  if (name === undefined) throw schedulingErrors.unknownGuest({ field: `${field}.guestId` })
  return { ...guest, guestId, name, taken: snapshot.taken.guests.get(guestId) ?? [] }
}

/** The member on whose behalf the booking rules run, or the school's desk when nobody is signed in. */
export type BookingPrincipal = Pick<Actor, 'organizationId' | 'orgUserId' | 'roles' | 'organization'> & {
  /** A guest asks, against whom offers hold their places. */
  isPublic?: true
}

/** The orgUserId of the public principal. No member has it, so that the principal is on no booking. */
const SYSTEM_ACTOR_ID = 0

/**
 * Returns the principal for requests by the public. It has desk rights, because the public may request what the desk could
 * book.
 */
export function publicBookingPrincipal({
  organizationId,
  organization,
}: Pick<BookingPrincipal, 'organizationId' | 'organization'>): BookingPrincipal {
  return { organizationId, organization, orgUserId: SYSTEM_ACTOR_ID, roles: roleFlags({ dispatcher: true }) }
}
