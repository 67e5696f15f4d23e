import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { isApproved } from '../../qualification/approvals/approval.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import { mayKnowGrounding, mayKnowMoney } from './disclosure.rules.ts'
import { membersOn, pilotInCommand } from './pilot.rules.ts'
import type { Finding } from './problems.ts'

type Fitness = (facts: BookingFacts) => Finding[]

/** Checks that a grounded resource is booked for maintenance only. Implements interface §Reservations rule 2. */
export const checkResourceGrounded: Fitness = ({ booking, resource }) => {
  if (!resource?.grounded || booking.type === 'maintenance') return []
  const { name, groundedReason: reason } = resource
  const grounded = reason
    ? schedulingErrors.resourceGroundedFor({ resource: name, reason })
    : schedulingErrors.resourceGrounded({ resource: name })
  return [{ ...grounded, field: 'resource', resourceId: resource.id }]
}

/**
 * Checks that nobody on the booking is grounded, and that its pilot in command is not grounded as such. The finding contains
 * the reason only for desk staff and the person. Implements interface §Reservations rule 6.
 */
export const checkPeopleGrounded: Fitness = (facts) => {
  const { actor, seats } = facts
  const pilot = pilotInCommand(facts)
  return membersOn(seats)
    .filter(({ seat, member }) => member.grounded && (member.groundedFor === 'all' || seat === pilot))
    .map(({ seat, member, about }) => {
      const reason = mayKnowGrounding(actor, seat) ? member.groundedReason : null
      const grounded = reason
        ? schedulingErrors.memberGroundedFor({ name: seat.name, reason })
        : schedulingErrors.memberGrounded({ name: seat.name })
      return { ...about, ...grounded }
    })
}

/**
 * Checks that the pilot in command of a solo, rental or shared flight is approved on the plane, where the organization
 * requires it. Other people on board are not checked, and neither is a pilot with the instructor role who is not seated as
 * the instructor. Implements interface §Booking rules.
 */
export const checkApproval: Fitness = ({ booking, resource, seats, settings }) => {
  if (!settings.aircraftApprovalRequired || resource?.kind !== 'plane') return []
  if (booking.type !== 'solo' && booking.type !== 'rental' && booking.type !== 'shared') return []
  const pilot = pilotInCommand({ booking, seats })
  if (!pilot?.member || isApproved(pilot.member.approvals, resource, booking.start)) return []
  if (pilot.side !== 'instructors' && pilot.member.roles.instructor) return []
  const fix = {
    action: 'ask_approval',
    resourceId: resource.id,
    text: schedulingErrors.fixApproval({ resource: resource.name }),
  } as const
  return [
    {
      field: `personnel.${pilot.side}`,
      orgUserId: pilot.orgUserId ?? undefined,
      ...schedulingErrors.notApproved({ name: pilot.name, resource: resource.name }),
      resourceId: resource.id,
      fix,
    },
  ]
}

/**
 * Checks that autopay was not declined for an open invoice of a paying member's payer. Of a payer who is not on the booking, only desk
 * staff and that payer learn it. A prepaid booking is not checked. Implements
 * interface §Booking rules.
 */
export const checkDeclined: Fitness = ({ booking, seats, actor }) => {
  const { pays } = typeRules[booking.type]
  if (pays === null || booking.prepaid) return []
  return membersOn(seats.filter(({ side }) => side === pays)).flatMap(({ seat, member, about }) =>
    member.cardDeclined
      ? [
          member.billToId === null || mayKnowMoney(actor, seat, member)
            ? { ...about, ...schedulingErrors.cardDeclined({ name: seat.name }) }
            : { ...about, ...schedulingErrors.payerHasToAct({ name: seat.name }) },
        ]
      : [],
  )
}
