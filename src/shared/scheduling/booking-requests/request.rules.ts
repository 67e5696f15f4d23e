import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { judge } from '../rules/judge.rules.ts'
import { type Problem, shapeProblem } from '../rules/problems.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** Problems that neither another time nor the desk solves: the type, the seats, the kind of resource, the times. */
const permanent: readonly Problem['rule'][] = ['type_not_allowed', 'side_limit', 'booking_shape']

/**
 * Returns the problems that refuse a booking request when it is created: only those that approval could never solve. A
 * pending request holds nothing, so a taken slot, an absence or an aircraft out of service may be over by the time of
 * the decision, and every rule runs again then. The desk finds an instructor when the request names none.
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

/** The limits on when and how long the requester books; how much they book the desk decides. */
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

/** Returns the title of a request that was given none. */
export function defaultTitle(type: ReservationType, requester: string): string {
  return `${labels[type]}: ${requester}`.slice(0, 200).toWellFormed()
}

/** Returns the requester's seat when no seats are given: on the side that the type bills. */
export function requesterSeat(type: ReservationType, orgUserId: number) {
  const side = typeRules[type].pays
  return side === null ? [] : [{ side, index: 0, orgUserId }]
}
