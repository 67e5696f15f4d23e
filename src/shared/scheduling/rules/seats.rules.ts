import { fitsSide, rolesBySide, seatSides, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, SeatFacts } from './booking-facts.types.ts'
import type { Problem } from './problems.ts'
import { countOf } from './wording.rules.ts'

type SeatProblems = (facts: BookingFacts) => Problem[]

/**
 * Checks the limits of each side, one seat a person, and a role that fits the side. Implements interface §Reservations
 * rules 3 and 4.
 */
export const checkSeats: SeatProblems = (facts) => [...sideLimits(facts), ...oneSeatEach(facts), ...fittingRoles(facts)]

const sideLimits: SeatProblems = ({ booking: { type }, seats }) => {
  const { sides, occupants } = typeRules[type]
  const problems = seatSides.flatMap((side): Problem[] => {
    const [least, most] = sides[side] ?? [0, 0]
    const given = seats.filter((seat) => seat.side === side).length
    const field = `personnel.${side}`
    if (given > most) {
      return [{ ...schedulingErrors.sideTooFull({ field, most: countOf(most, side), type, given }), field }]
    }
    if (given < least) {
      return [{ ...schedulingErrors.sideTooEmpty({ field, least: countOf(least, side), type, given }), field }]
    }
    return []
  })
  if (occupants !== undefined && seats.length > occupants) {
    const problem = schedulingErrors.occupantsWrong({ occupants, type, given: seats.length })
    problems.push({ ...problem, field: 'personnel' })
  }
  return problems
}

const oneSeatEach: SeatProblems = ({ seats }) =>
  seats.flatMap((seat, index): Problem[] => {
    if (!seats.slice(0, index).some((earlier) => samePerson(earlier, seat))) return []
    const field = `personnel.${seat.side}`
    const problem = schedulingErrors.seatedTwice({ field, name: seat.name })
    return [{ ...problem, field, orgUserId: seat.orgUserId ?? undefined }]
  })

const fittingRoles: SeatProblems = ({ seats }) =>
  seats.flatMap(({ side, member, name, orgUserId }): Problem[] => {
    if (!member || side === 'guests' || fitsSide(member.roles, side)) return []
    const field = `personnel.${side}`
    const problem = schedulingErrors.roleUnfit({ field, name, roles: rolesBySide[side].join(' or ') })
    return [{ ...problem, field, orgUserId: orgUserId ?? undefined }]
  })

function samePerson(a: SeatFacts, b: SeatFacts): boolean {
  return (a.orgUserId !== null && a.orgUserId === b.orgUserId) || (a.guestId !== null && a.guestId === b.guestId)
}
