import {
  fitsSide,
  type MemberSide,
  type ReservationType,
  type Side,
  typeRules,
} from '../../fleet/resources/reservation-types.rules.ts'
import type { RoleFlags } from '../../platform/authz/roles.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

interface Person {
  orgUserId: number
  name: string
  roles: RoleFlags
}

type Placed = { seats: SeatInput[] } | { problem: Sentence }

/**
 * Returns the seats of people on a booking of this type, by their roles, or the problem of the first person without a seat.
 * People who fit fewer sides are seated first, each on the first side of the type that has room. A side with too few people
 * gets open seats, which no rule checks; the instructors' side does not.
 */
export function placeMembers(type: ReservationType, people: readonly Person[]): Placed {
  const { sides } = typeRules[type]
  const memberSides = (Object.keys(sides) as Side[]).filter((side): side is MemberSide => side !== 'guests')
  const fitting = people.map((person) => ({
    person,
    sides: memberSides.filter((side) => fitsSide(person.roles, side)),
  }))
  const seated = new Map<number, MemberSide>()
  const room = (side: MemberSide) =>
    (sides[side]?.[1] ?? 0) - [...seated.values()].filter((taken) => taken === side).length
  for (const { person, sides: fits } of [...fitting].sort((a, b) => a.sides.length - b.sides.length)) {
    const side = fits.find((one) => room(one) > 0)
    if (!side) return { problem: schedulingErrors.noSeatFor({ name: person.name, type }) }
    seated.set(person.orgUserId, side)
  }
  const seats: SeatInput[] = (Object.keys(sides) as Side[]).flatMap((side) => {
    const named = people.filter(({ orgUserId }) => seated.get(orgUserId) === side)
    const taken: SeatInput[] = named.map(({ orgUserId }, index) => ({ side, index, orgUserId }))
    const least = side === 'instructors' ? 0 : (sides[side]?.[0] ?? 0)
    const open = Array.from({ length: Math.max(0, least - taken.length) }, (_, at) => openSeat(side, taken.length + at))
    return [...taken, ...open]
  })
  return { seats }
}

function openSeat(side: Side, index: number): SeatInput {
  return { side, index, name: '', email: null, phone: null }
}
