import { setImmediate as othersTurn } from 'node:timers/promises'
import { booksForThemselves, type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { type BookingPrincipal, organizationFacts, seatFacts } from '../rules/load-booking-facts.ts'
import { qualificationsFor } from '../rules/qualifications.rules.ts'
import { loadSchedulingSnapshot, type SchedulingSnapshot } from '../rules/scheduling-snapshot.queries.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { findInstructors, findResourcesFor } from './candidates.queries.ts'
import {
  type IsWanted,
  type Opening,
  type OpeningsFacts,
  openingsAt,
  openingsFrom,
  timeIndependentProblems,
} from './openings.rules.ts'
import { placeMembers } from './place-members.rules.ts'

/** A search for openings; empty `resourceIds` means every resource that the type can use. */
export interface OpeningsQuestion extends Interval {
  type: ReservationType
  durationMinutes: number
  resourceIds: number[]
  orgUserIds: number[]
  /** The instructors to choose from when none of `orgUserIds` takes the instructor's seat; absent: all instructors. */
  instructorIds?: readonly number[] | undefined
  /** The booking request that is being decided; its own slot hold is ignored. */
  exceptRequestId?: number | undefined
  /** The booking that moves to the slot; it is out of the way. */
  movesId?: number | undefined
  /** Whether a slot with a resource is wanted; absent: every slot is. */
  isWanted?: IsWanted | undefined
}

/** The fields of a booking that are empty in a search. */
const noBooking = { locationId: null, passengers: 0, ifr: false, lessonIds: [] } as const

/** The most openings that one search returns. */
export const MOST_OPENINGS = 200
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The size of the first load of facts: days multiplied by the number of resources and instructors. The rest of the window is
 * loaded only when it is needed, each time for twice as many days.
 */
const CANDIDATE_DAYS = 2_000

/**
 * Returns the slots in a window in which the booking rules would accept a booking, at most `MOST_OPENINGS`. A caller who
 * books for themselves is always on it. When the type needs an instructor and no named member is one, each free instructor is
 * tried. Sides without people stay open for the caller to fill. Whether the caller needs approval is not checked. Implements
 * interface §Booking rules.
 * @throws Invalid when no time can solve a problem, such as a type that the caller may not book.
 */
export async function findOpenings(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: OpeningsQuestion,
): Promise<Opening[]> {
  const candidates = await findCandidates(db, principal.organizationId, question)
  const length = question.durationMinutes * MINUTE_MS
  const last = question.end.getTime() - length
  const found: Opening[] = []
  let days = daysAtOnce(candidates)
  let from = question.start.getTime()
  do {
    const until = Math.min(Math.max(from, now.getTime()) + days * DAY_MS, last + 1)
    const span = { start: new Date(from), end: new Date(Math.max(until, from) + length) }
    const facts = await loadFacts(db, principal, now, { ...question, ...span }, candidates)
    const [problem] = timeIndependentProblems(facts)
    if (problem) throw new Invalid(problem.message, problem.code === 'INVALID' ? undefined : problem.code)
    for (let day = Math.max(from, now.getTime()); day < until && found.length < MOST_OPENINGS; day += DAY_MS) {
      const starts = { start: new Date(day), end: new Date(Math.min(day + DAY_MS, until)) }
      found.push(...openingsFrom(facts, starts, MOST_OPENINGS - found.length))
      await othersTurn()
    }
    from = until
    days *= 2
  } while (from <= last && found.length < MOST_OPENINGS)
  return found
}

/**
 * Returns the openings at one start, which need not be a quarter hour: one per resource for which a booking would be
 * accepted, with the first possible crew.
 */
export async function findOpeningsAt(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: Omit<OpeningsQuestion, 'end'>,
): Promise<Opening[]> {
  const slot = firstSlot(question)
  const candidates = await findCandidates(db, principal.organizationId, question)
  return openingsAt(await loadFacts(db, principal, now, { ...question, ...slot }, candidates), slot.start)
}

/** The resources and instructors among which a search chooses. */
interface Candidates {
  resourceIds: number[]
  instructorIds: number[]
}

async function findCandidates(
  db: Db,
  organizationId: number,
  { type, resourceIds, instructorIds }: Pick<OpeningsQuestion, 'type' | 'resourceIds' | 'instructorIds'>,
): Promise<Candidates> {
  return {
    resourceIds: resourceIds.length > 0 ? resourceIds : await findResourcesFor(db, organizationId, type),
    instructorIds: needsInstructor(type) ? await findInstructors(db, organizationId, instructorIds) : [],
  }
}

function daysAtOnce({ resourceIds, instructorIds }: Candidates): number {
  return Math.ceil(CANDIDATE_DAYS / (resourceIds.length + instructorIds.length + 1))
}

async function loadFacts(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  question: OpeningsQuestion,
  { resourceIds, instructorIds }: Candidates,
): Promise<OpeningsFacts> {
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
  return {
    ...organizationFacts(principal, now, snapshot),
    isWanted: question.isWanted,
    booking: {
      ...noBooking,
      id: question.movesId ?? null,
      type,
      zone: principal.organization.timeZoneName,
      ...firstSlot(question),
    },
    choices: choices.map((id) => ({
      resource: id === null ? null : resourceOf(id, snapshot),
      crews: {
        *[Symbol.iterator]() {
          for (const seats of crews) yield seats.map((seat) => seatFacts(seat, snapshot))
        },
      },
    })),
  }
}

function firstSlot({ start, durationMinutes }: Pick<OpeningsQuestion, 'start' | 'durationMinutes'>): Interval {
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
