import { fitsSide, rolesBySide, seatSides, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, SeatFacts } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'
import { countOf } from './wording.rules.ts'

type SeatFindings = (facts: BookingFacts) => Finding[]

/**
 * Checks that each side has neither too few nor too many people, and that not more people are on board than the type allows.
 * Implements interface §Reservations rules 3 and 4.
 */
export const checkSideLimits: SeatFindings = ({ booking: { type }, seats }) => {
  const { sides, occupants } = typeRules[type]
  const problems = seatSides.flatMap((side): Finding[] => {
    const [least, most] = sides[side] ?? [0, 0]
    const given = seats.filter((seat) => seat.side === side).length
    const field = `personnel.${side}`
    if (given > most) {
      return [{ ...schedulingErrors.sideTooFull({ field, people: countOf(most, side), type, given }), field }]
    }
    if (given < least) {
      return [{ ...schedulingErrors.sideTooEmpty({ field, people: countOf(least, side), type, given }), field }]
    }
    return []
  })
  if (occupants !== undefined && seats.length > occupants) {
    const problem = schedulingErrors.occupantsWrong({ occupants, type, given: seats.length })
    problems.push({ ...problem, field: 'personnel' })
  }
  return problems
}

/** Checks that each person has one seat, and a role that fits it. Implements interface §Reservations rules 3 and 4. */
export const checkSitting: SeatFindings = (facts) => [...oneSeatEach(facts), ...fittingRoles(facts)]

const oneSeatEach: SeatFindings = ({ seats }) =>
  seats.flatMap((seat, index): Finding[] => {
    if (!seats.slice(0, index).some((earlier) => samePerson(earlier, seat))) return []
    const field = `personnel.${seat.side}`
    const problem = schedulingErrors.seatedTwice({ field, name: seat.name })
    return [{ ...problem, field, orgUserId: seat.orgUserId ?? undefined }]
  })

const fittingRoles: SeatFindings = ({ seats }) =>
  seats.flatMap(({ side, member, name, orgUserId }): Finding[] => {
    if (!member || side === 'guests' || fitsSide(member.roles, side)) return []
    const field = `personnel.${side}`
    const problem = schedulingErrors.roleUnfit({ field, name, roles: rolesBySide[side].join(' or ') })
    return [{ ...problem, field, orgUserId: orgUserId ?? undefined }]
  })

function samePerson(a: SeatFacts, b: SeatFacts): boolean {
  return (a.orgUserId !== null && a.orgUserId === b.orgUserId) || (a.guestId !== null && a.guestId === b.guestId)
}
