import type { Sentence } from '../../platform/kernel/errors.ts'
import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, CurrencyRuleFacts, MemberFacts, SeatFacts } from './booking-facts.types.ts'
import { ineligible, mayKnowFitness, mayKnowGrounding } from './disclosure.rules.ts'
import type { Problem } from './problems.ts'

type FitnessProblems = (facts: BookingFacts) => Problem[]

/**
 * A grounded resource takes maintenance bookings only; a grounded person takes no seat. Callers who are neither desk
 * staff nor that person see only that the person is not eligible. Implements interface §Reservations rules 2 and 6.
 */
export const checkGrounding: FitnessProblems = ({ actor, booking, resource, seats }) => {
  const problems: Problem[] = []
  if (resource?.grounded && booking.type !== 'maintenance') {
    const { name, groundedReason: reason } = resource
    const grounded = reason
      ? schedulingErrors.resourceGroundedFor({ resource: name, reason })
      : schedulingErrors.resourceGrounded({ resource: name })
    problems.push({ ...grounded, field: 'resource', resourceId: resource.id })
  }
  for (const { seat, member, about } of members(seats)) {
    if (!member.grounded) continue
    const reason = mayKnowGrounding(actor, seat) ? member.groundedReason : null
    const grounded = reason
      ? schedulingErrors.memberGroundedFor({ name: seat.name, reason })
      : schedulingErrors.memberGrounded({ name: seat.name })
    problems.push(mayKnowFitness(actor, seat) ? { ...about, ...grounded } : ineligible(seat))
  }
  return problems
}

/** Where the organization requires it, students, renters and pilots need approval on the plane; instructors do not. */
export const checkApprovals: FitnessProblems = ({ resource, seats, settings }) => {
  if (!settings.aircraftApprovalRequired || resource?.kind !== 'plane') return []
  return members(seats)
    .filter(({ member }) => !member.roles.instructor && !member.approved)
    .map(({ seat, about }) => ({
      ...about,
      ...schedulingErrors.notApproved({ name: seat.name, resource: resource.name }),
      resourceId: resource.id,
    }))
}

/**
 * Checks currencies at the booking's start: each person must meet every blocking rule that applies to one of their
 * roles, to this type of booking and to this resource. Callers who are neither staff nor that person see only that the
 * person is not eligible. Implements interface §Reservations rule 6.
 */
export const checkCurrencies: FitnessProblems = (facts) => {
  const { booking, resource } = facts
  const applicable = facts.currencies.filter(
    (rule) =>
      rule.blocking &&
      meantFor(rule.reservationTypes, booking.type) &&
      (rule.resourceIds.length === 0 || (resource !== null && rule.resourceIds.includes(resource.id))),
  )
  return members(facts.seats).flatMap(({ seat, member, about }) =>
    applicable
      .filter((rule) => rule.roles.length === 0 || rule.roles.some((role) => member.roles[role]))
      .flatMap((rule): Problem[] => {
        const unmet = unmetRequirement(rule, member, facts)
        if (unmet === null) return []
        if (!mayKnowFitness(facts.actor, seat)) return [ineligible(seat)]
        return [{ ...about, ...schedulingErrors.notCurrent({ name: seat.name, currency: rule.name, unmet }) }]
      }),
  )
}

/** Returns why a currency is not met at the start of a booking, or null. Days are local days of the organization. */
function unmetRequirement(
  rule: CurrencyRuleFacts,
  member: MemberFacts,
  { booking, zone }: BookingFacts,
): Sentence | null {
  const { requires } = rule
  if (requires.kind === 'expiring') {
    const record = member.currencyRecords.find((one) => one.currencyId === rule.id)
    if (!record) return schedulingErrors.nothingOnRecord()
    if (record.expiresAt === null || record.expiresAt.getTime() > booking.start.getTime()) return null
    return schedulingErrors.expiredOn({ date: localDate(record.expiresAt, zone) })
  }
  const earliest = addDays(localDate(booking.start, zone), -requires.days)
  const flights = member.signedFlights.filter(
    ({ currencyId, flownAt }) =>
      currencyId === rule.id && flownAt.getTime() < booking.start.getTime() && localDate(flownAt, zone) >= earliest,
  )
  if (flights.length >= requires.count) return null
  return schedulingErrors.tooFewFlights({ flown: flights.length, count: requires.count, days: requires.days })
}

function members(seats: readonly SeatFacts[]) {
  return seats.flatMap((seat) => {
    if (!seat.member) return []
    const about = { field: `personnel.${seat.side}`, orgUserId: seat.orgUserId ?? undefined }
    return [{ seat, member: seat.member, about }]
  })
}

function meantFor<T>(wanted: readonly T[], actual: T): boolean {
  return wanted.length === 0 || wanted.includes(actual)
}
