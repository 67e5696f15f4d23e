import { fitsSide, rolesBySide, seatSides, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
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
      const message = `${field}: at most ${countOf(most, side)} on a ${type} booking, ${given} given`
      return [{ code: 'SIDE_LIMIT', field, message }]
    }
    if (given < least) {
      const message = `${field}: at least ${countOf(least, side)} on a ${type} booking, ${given} given`
      return [{ code: 'SIDE_LIMIT', field, message }]
    }
    return []
  })
  if (occupants !== undefined && seats.length > occupants) {
    const message = `personnel: exactly ${occupants} person on a ${type} booking, ${seats.length} given`
    problems.push({ code: 'SIDE_LIMIT', field: 'personnel', message })
  }
  return problems
}

const oneSeatEach: SeatProblems = ({ seats }) =>
  seats.flatMap((seat, index): Problem[] => {
    if (!seats.slice(0, index).some((earlier) => samePerson(earlier, seat))) return []
    const field = `personnel.${seat.side}`
    const message = `${field}: ${seat.name} is on this booking twice; one person takes one seat`
    return [{ code: 'INVALID', field, message, orgUserId: seat.orgUserId ?? undefined }]
  })

const fittingRoles: SeatProblems = ({ seats }) =>
  seats.flatMap(({ side, member, name, orgUserId }): Problem[] => {
    if (!member || side === 'guests' || fitsSide(member.roles, side)) return []
    const field = `personnel.${side}`
    const message = `${field}: ${name} has no role for this seat (${rolesBySide[side].join(' or ')})`
    return [{ code: 'INVALID', field, message, orgUserId: orgUserId ?? undefined }]
  })

function samePerson(a: SeatFacts, b: SeatFacts): boolean {
  return (a.orgUserId !== null && a.orgUserId === b.orgUserId) || (a.guestId !== null && a.guestId === b.guestId)
}
