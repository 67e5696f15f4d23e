import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { checkBooking } from '../rules/booking.rules.ts'
import type { BookingFacts } from '../rules/booking-facts.ts'
import type { Problem, ProblemCode } from '../rules/problems.ts'

/** What neither time nor the desk mends: the type, the seats, the kind of resource, the times themselves. */
const lasting: readonly ProblemCode[] = ['TYPE_NOT_ALLOWED', 'SIDE_LIMIT', 'INVALID']

/**
 * What a booking request is refused for when it is made: only what could never be approved. A pending request holds
 * nothing, so a slot that is taken, somebody's absence or an aircraft out of service may well be past by the time that
 * the desk decides, and every rule is asked again then. An instructor whom nobody named is found by the desk.
 */
export function requestProblems(facts: BookingFacts): Problem[] {
  const { actor, booking, seats, now } = facts
  const problems = checkBooking(facts).filter(
    (problem) => lasting.includes(problem.code) && problem.field !== 'start' && !lacksInstructor(problem, facts),
  )
  if (booking.start.getTime() < now.getTime()) {
    problems.push({ code: 'INVALID', message: 'start: is in the past', field: 'start' })
  }
  if (!seats.some((seat) => seat.orgUserId === actor.orgUserId)) {
    problems.push({ code: 'INVALID', message: 'personnel: you can only request what you are on', field: 'personnel' })
  }
  return problems
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

/** What a request is called when nobody named it. */
export function usualTitle(type: ReservationType, requester: string): string {
  return `${labels[type]}: ${requester}`.slice(0, 200).toWellFormed()
}

/** The seat of somebody who asks without saying who is aboard: on the side that the type bills. */
export function ownSeat(type: ReservationType, orgUserId: number) {
  const side = typeRules[type].pays
  return side === null ? [] : [{ side, index: 0, orgUserId }]
}
