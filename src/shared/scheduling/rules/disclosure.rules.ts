import { deskStaff, hasRole, type Role, staff } from '../../platform/authz/roles.ts'
import type { BookingFacts, SeatFacts } from './booking-facts.ts'
import type { Problem } from './problems.ts'

type Caller = BookingFacts['actor']

/** Whether the caller may be told why somebody is not fit to fly: their currencies, the dates. Staff, and the person. */
export function mayKnowFitness(caller: Caller, seat: SeatFacts): boolean {
  return isBookingParty(caller, seat, staff)
}

/** Whether the caller may be told why somebody is grounded, which is often medical: desk staff, and the person. */
export function mayKnowGrounding(caller: Caller, seat: SeatFacts): boolean {
  return isBookingParty(caller, seat, deskStaff)
}

function isBookingParty({ roles, orgUserId }: Caller, seat: SeatFacts, wanted: readonly Role[]): boolean {
  return hasRole(roles, wanted) || seat.orgUserId === orgUserId
}

/** Who cannot be booked, and nothing of why. */
export function ineligible({ side, name, orgUserId }: SeatFacts): Problem {
  return {
    code: 'NOT_ELIGIBLE',
    message: `${name} cannot be booked for this`,
    field: `personnel.${side}`,
    orgUserId: orgUserId ?? undefined,
    rule: 'eligibility',
  }
}

/** Puts those who are not eligible last and each once, so that neither place nor number tells which rules stand against them. */
export function withoutHints(problems: readonly Problem[]): Problem[] {
  const told = problems.filter(({ code }) => code !== 'NOT_ELIGIBLE')
  const veiled = new Map(
    problems
      .filter(({ code }) => code === 'NOT_ELIGIBLE')
      .map((problem) => [`${problem.field} ${problem.orgUserId}`, problem]),
  )
  return [...told, ...veiled.values()]
}
