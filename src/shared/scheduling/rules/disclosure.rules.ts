import { deskStaff, hasRole, type Role, staff } from '../../platform/authz/roles.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, MemberFacts, SeatFacts } from './booking-facts.types.ts'
import type { Problem } from './problems.ts'

type Caller = BookingFacts['actor']
type Person = Pick<SeatFacts, 'orgUserId'>

/**
 * Returns whether the caller may see why a person is not fit to fly (currencies, documents): true for staff and for the
 * person. Implements interface §Booking rules.
 */
export function mayKnowFitness(caller: Caller, seat: Person): boolean {
  return hasRoleOrIsPerson(caller, seat, staff)
}

/**
 * Returns whether the caller may see why a person is grounded, which is often medical: true for desk staff and for the
 * person. Implements interface §Booking rules.
 */
export function mayKnowGrounding(caller: Caller, seat: Person): boolean {
  return hasRoleOrIsPerson(caller, seat, deskStaff)
}

/**
 * Returns whether the caller may see what a member's payer has and owes: true for desk staff and for the payer. Implements interface
 * §Booking rules.
 */
export function mayKnowMoney(caller: Caller, seat: Person, { billToId }: Pick<MemberFacts, 'billToId'>): boolean {
  return hasRoleOrIsPerson(caller, { orgUserId: billToId ?? seat.orgUserId }, deskStaff)
}

function hasRoleOrIsPerson({ roles, orgUserId }: Caller, seat: Person, wanted: readonly Role[]): boolean {
  return hasRole(roles, wanted) || seat.orgUserId === orgUserId
}

/** Returns the problem that a person cannot be booked, without the reason. Implements interface §Booking rules. */
export function ineligible({ side, name, orgUserId }: Pick<SeatFacts, 'side' | 'name' | 'orgUserId'>): Problem {
  return {
    ...schedulingErrors.notEligible({ name }),
    field: `personnel.${side}`,
    orgUserId: orgUserId ?? undefined,
    rule: 'eligibility',
    overridable: false,
  }
}

/**
 * Returns problems with the hidden ones last and one per person, so that neither order nor number discloses which rules
 * failed. A person who has a hidden problem in `besides` gets no second one. Implements interface §Booking rules.
 */
export function orderHiddenLast(problems: readonly Problem[], besides: readonly Problem[] = []): Problem[] {
  const visible = problems.filter(({ rule }) => rule !== 'eligibility')
  const told = new Set(besides.filter(({ rule }) => rule === 'eligibility').map(({ orgUserId }) => orgUserId))
  const hidden = new Map(
    problems
      .filter(({ rule, orgUserId }) => rule === 'eligibility' && !told.has(orgUserId))
      .map((problem) => [`${problem.field} ${problem.orgUserId}`, problem]),
  )
  return [...visible, ...hidden.values()]
}
