import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { judge } from '../rules/judge.rules.ts'
import { type Problem, shapeProblem } from '../rules/problems.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/**
 * The rules whose problems neither another start nor the desk can solve: on the type, the seats, the kind of resource and the
 * length.
 */
const permanent: readonly Problem['rule'][] = ['type_not_allowed', 'side_limit', 'booking_shape']

/**
 * Returns the problems that refuse a booking request when it is created: only those that remain at every approval. A pending
 * request holds no slot. A clash, an absence or a grounding may be over when the desk decides, and every rule runs again
 * then. The desk can add an instructor when the request names none. Implements interface §Booking requests,
 * docs/decisions/0013.
 */
export function requestProblems(facts: BookingFacts): Problem[] {
  const { actor, booking, seats, now } = facts
  const problems = judge(facts).problems.filter(
    (problem) =>
      isOwnLimit(problem) ||
      (permanent.includes(problem.rule) && problem.field !== 'start' && !lacksInstructor(problem, facts)),
  )
  if (booking.start.getTime() < now.getTime()) {
    problems.push(shapeProblem({ ...schedulingErrors.beginsInPast(), field: 'start' }))
  }
  if (!seats.some((seat) => seat.orgUserId === actor.orgUserId)) {
    problems.push(shapeProblem({ ...schedulingErrors.requestForOthers(), field: 'personnel' }))
  }
  return problems
}

/**
 * Returns whether a problem is a limit on the time or length of the booking. Limits on the number of bookings and hours are
 * left to the desk.
 */
function isOwnLimit({ rule, field }: Problem): boolean {
  return rule === 'booking_limits' && field !== 'personnel'
}

function lacksInstructor({ code, field }: Problem, { seats }: BookingFacts): boolean {
  return (
    code === 'SIDE_LIMIT' && field === 'personnel.instructors' && !seats.some((seat) => seat.side === 'instructors')
  )
}

const labels: Readonly<Record<ReservationType, string>> = {
  solo: 'Solo flight',
  shared: 'Shared flight',
  dual: 'Dual lesson',
  ground: 'Ground lesson',
  guest: 'Guest flight',
  sim: 'Simulator session',
  rental: 'Rental',
  maintenance: 'Maintenance',
}

/** Returns the default title of a request: the type and the requester's name, at most 200 characters. */
export function defaultTitle(type: ReservationType, requester: string): string {
  return `${labels[type]}: ${requester}`.slice(0, 200).toWellFormed()
}

/**
 * Returns the seat of the requester for a request that names no people. It is on the paying side of the type; none when
 * nobody pays. Implements interface §Booking requests (`personnel`).
 */
export function requesterSeat(type: ReservationType, orgUserId: number) {
  const side = typeRules[type].pays
  return side === null ? [] : [{ side, index: 0, orgUserId }]
}
