import { mayCreate, needsApproval, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { findActor } from '../../platform/authz/actor.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/kernel/errors.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import { planBooking } from '../rules/plan-booking.ts'
import type { Offer } from '../waitlist.tables.ts'
import type { Place } from './entry.rules.ts'

/** Whose place it is, of which type, and who made the entry. */
interface Whose {
  organizationId: number
  /** Null when no entry is there. */
  makerId: number | null
  orgUserId: number
  type: Offer['type']
}

/** Returns on whose behalf a place is booked: who made the entry, or else its person; null when neither may book it by now. */
export async function principalOf(tx: Tx, { organizationId, makerId, orgUserId, type }: Whose): Promise<Actor | null> {
  for (const id of makerId === null ? [orgUserId] : [makerId, orgUserId]) {
    const actor = await findActor(tx.db, organizationId, id)
    if (!actor || !mayCreate(actor.roles, type)) continue
    if (!needsApproval(actor.roles, type, actor.organization.settings.approvalRequired)) return actor
  }
  return null
}

/** Returns the seats of a place: the instructor first, if there is one, then the person. */
export function seatsOf(type: Offer['type'], orgUserId: number, instructorId: number | null): SeatInput[] {
  const person = { side: typeRules[type].pays ?? ('students' as const), index: 0, orgUserId }
  return instructorId ? [{ side: 'instructors', index: 0, orgUserId: instructorId }, person] : [person]
}

/** Returns the booking of a place, as the rules judge it and as it is written. */
export function bookingAt(
  { type, start, end, resourceId }: Pick<PlaceOf, 'type' | 'start' | 'end' | 'resourceId'>,
  principal: Actor,
  seats: SeatInput[],
) {
  return {
    type,
    start,
    end,
    zone: principal.organization.timeZoneName,
    resourceId,
    locationId: null,
    passengers: 0,
    ifr: false,
    seats,
    recurrence: null,
    collectionStyle: 'close_out' as const,
  }
}

/** A place that is booked for a person, or to which a booking of theirs moves. */
export interface PlaceOf extends Place {
  type: Offer['type']
  orgUserId: number
  movesId: number | null
  /** The offer of the place, which does not hold against itself. */
  offerId?: number
}

/** Why the rules refuse the booking of a place. */
export interface PlaceRefusal {
  /** The keys of the rules. */
  rules: string[]
  /** Whether all of it is about the person. */
  isOfPerson: boolean
}

/** Returns why the rules refuse the booking of a place; null when it would be accepted. */
export async function refusalOfPlace(tx: Tx, principal: Actor, place: PlaceOf): Promise<PlaceRefusal | null> {
  const { type, instructorId, orgUserId, movesId, offerId } = place
  try {
    const plan = await planBooking(tx.db, principal, tx.now, {
      ...bookingAt(place, principal, seatsOf(type, orgUserId, instructorId)),
      id: movesId,
      offerId,
      countsOffers: offerId === undefined,
    })
    const problems = plan.judged.flatMap((judged) => judged.problems)
    if (!plan.forbidden && problems.length === 0) return null
    return {
      rules: [...new Set(problems.map(({ rule }) => rule))],
      isOfPerson: problems.length > 0 && problems.every((problem) => problem.orgUserId === orgUserId),
    }
  } catch (error) {
    if (error instanceof AppError) return { rules: [], isOfPerson: false }
    throw error
  }
}
