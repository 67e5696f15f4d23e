import { booksForThemselves, type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import { aroundFlight } from '../rules/duty.rules.ts'
import { type BookingPrincipal, organizationFacts, seatFacts } from '../rules/load-booking-facts.ts'
import { type NearTimes, rememberTimes } from '../rules/near-times.rules.ts'
import { qualificationsFor } from '../rules/qualifications.rules.ts'
import { loadSchedulingSnapshot, type SchedulingSnapshot } from '../rules/scheduling-snapshot.queries.ts'
import type { SoloFlight } from '../rules/solo-flight.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { findInstructors, findResourcesFor } from './candidates.queries.ts'
import { type IsWanted, type OpeningsFacts, remembered } from './openings.rules.ts'
import { placeMembers } from './place-members.rules.ts'

/** A search for openings; empty `resourceIds` means every resource that the type can use. */
export interface OpeningsQuestion extends Interval {
  type: ReservationType
  durationMinutes: number
  resourceIds: number[]
  orgUserIds: number[]
  /** The instructors to choose from when none of `orgUserIds` takes the instructor's seat; absent: all instructors. */
  instructorIds?: readonly number[] | undefined
  /** Instructors who are not chosen. */
  exceptInstructorIds?: readonly number[] | undefined
  /** Where a solo flight goes; absent or null: not said. */
  solo?: SoloFlight | null | undefined
  /** The booking request that is being decided; its own slot hold is ignored. */
  exceptRequestId?: number | undefined
  /** The booking that moves to the slot; it is out of the way. */
  movesId?: number | undefined
  /** The earliest and the latest start, in minutes of the organization's local day; absent: any time of the day. */
  earliestMinute?: number | undefined
  latestMinute?: number | undefined
  /** Whether a slot with a resource is wanted; absent: every slot is. */
  isWanted?: IsWanted | undefined
}

/** The fields of a booking that are empty in a search. */
const noBooking = { locationId: null, passengers: 0, ifr: false, lessonIds: [] } as const

const MINUTE_MS = 60_000

/**
 * The size of the first load of facts: days multiplied by the number of resources and instructors. The rest of the window is
 * loaded only when it is needed, each time for twice as many days.
 */
const CANDIDATE_DAYS = 2_000

/** The resources and instructors among which a search chooses. */
export interface Candidates {
  resourceIds: number[]
  instructorIds: number[]
}

/** Returns the resources and instructors of a search: those that it names, or all that fit. */
export async function findCandidates(
  db: Db,
  organizationId: number,
  {
    type,
    resourceIds,
    instructorIds,
    exceptInstructorIds = [],
  }: Pick<OpeningsQuestion, 'type' | 'resourceIds' | 'instructorIds' | 'exceptInstructorIds'>,
): Promise<Candidates> {
  const instructors = needsInstructor(type) ? await findInstructors(db, organizationId, instructorIds) : []
  return {
    resourceIds: resourceIds.length > 0 ? resourceIds : await findResourcesFor(db, organizationId, type),
    instructorIds: instructors.filter((id) => !exceptInstructorIds.includes(id)),
  }
}

/** Returns the number of days of the first load. */
export function daysAtOnce({ resourceIds, instructorIds }: Candidates): number {
  return Math.ceil(CANDIDATE_DAYS / (resourceIds.length + instructorIds.length + 1))
}

/**
 * Loads the facts of the possible bookings within the interval of a question. Returns a function that builds them for a part of
 * the interval: of busy times and flight training, they have those near that part.
 */
export async function loadOpeningsFacts(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: OpeningsQuestion,
  { resourceIds, instructorIds }: Candidates,
): Promise<(part: Interval) => OpeningsFacts> {
  const { type, start, end, exceptRequestId } = question
  const { organizationId } = principal
  const named = withCaller(principal, question)
  const memberIds = [...new Set([...named, ...instructorIds])]
  const snapshot = await loadSchedulingSnapshot(db, organizationId, {
    resourceIds,
    memberIds,
    guestIds: [],
    span: { start, end },
    now,
    exceptRequestId,
    callerId: principal.orgUserId,
    ...qualificationsFor(type, principal.organization.settings),
  })
  const choices = resourceIds.length > 0 ? resourceIds : [null]
  const crews = crewsOf(type, named, instructorIds, snapshot)
  let finder: NearTimes | undefined
  const nearOf: NearTimes = (times, near) => {
    if (times.length === 0) return []
    finder ??= rememberTimes()
    return finder(times, near)
  }
  const seatNear = (seat: SeatInput, part: Interval) => {
    const { taken, training, ...facts } = seatFacts(seat, snapshot)
    return { ...facts, taken: nearOf(taken, part), training: nearOf(training, aroundFlight(part)) }
  }
  const resourceNear = (id: number, part: Interval) => {
    const { taken, ...facts } = resourceOf(id, snapshot)
    return { ...facts, taken: nearOf(taken, part) }
  }
  return (part) => {
    const seated = remembered(crews.values().map((seats) => seats.map((seat) => seatNear(seat, part))))
    return {
      ...organizationFacts(principal, now, snapshot),
      isWanted: question.isWanted,
      booking: {
        ...noBooking,
        id: question.movesId ?? null,
        type,
        solo: question.solo ?? null,
        zone: principal.organization.timeZoneName,
        ...firstSlot(question),
      },
      choices: choices.map((id) => ({ resource: id === null ? null : resourceNear(id, part), crews: seated })),
    }
  }
}

/** Returns the slot at the start of an interval. */
export function firstSlot({ start, durationMinutes }: Pick<OpeningsQuestion, 'start' | 'durationMinutes'>): Interval {
  return { start, end: new Date(start.getTime() + durationMinutes * MINUTE_MS) }
}

function withCaller({ roles, orgUserId }: BookingPrincipal, { type, orgUserIds }: OpeningsQuestion): number[] {
  const alone = booksForThemselves(roles, type) && !orgUserIds.includes(orgUserId)
  return alone ? [...orgUserIds, orgUserId] : orgUserIds
}

function needsInstructor(type: ReservationType): boolean {
  return (typeRules[type].sides.instructors?.[0] ?? 0) > 0
}

function crewsOf(type: ReservationType, named: number[], instructorIds: number[], snapshot: SchedulingSnapshot) {
  const members = named.map((orgUserId) => {
    const known = snapshot.members.get(orgUserId)
    if (!known) throw schedulingErrors.unknownMember({ id: orgUserId })
    return { orgUserId, name: known.name, roles: known.roles }
  })
  const placed = placeMembers(type, members)
  if ('problem' in placed) throw new Invalid(placed.problem)
  const { seats } = placed
  if (!needsInstructor(type) || seats.some((seat) => seat.side === 'instructors')) return [placed.seats]
  return instructorIds
    .filter((id) => !named.includes(id))
    .map((orgUserId) => [{ side: 'instructors' as const, index: 0, orgUserId }, ...seats])
}

function resourceOf(id: number, snapshot: SchedulingSnapshot) {
  const resource = snapshot.resources.get(id)
  if (!resource) throw schedulingErrors.unknownResourceId({ id })
  return { ...resource, taken: snapshot.taken.resources.get(id) ?? [] }
}
