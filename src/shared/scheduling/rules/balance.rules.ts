import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { tenthsBetween } from '../../platform/kernel/hours.ts'
import { formatMoney, multiplyRate } from '../../platform/kernel/money.ts'
import { type Cents, cents, ZERO } from '../../platform/kernel/units.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts, SettingsFacts } from './booking-facts.types.ts'
import { membersOn } from './pilot.rules.ts'
import type { Finding } from './problems.ts'

type Booked = Pick<BookingFacts, 'booking' | 'seats' | 'resource' | 'settings'>

/** The expected cost of a booking, in cents. */
interface Estimate {
  aircraft: Cents
  instruction: Cents
}

/**
 * Returns the expected cost of a booking: its booked time at the rates of its aircraft or simulator and of its first
 * instructor. A missing rate counts as 0. Implements interface §Booking rules.
 */
export function estimatedCost({ booking, seats, resource, settings }: Booked): Estimate {
  const time = tenthsBetween(booking.start, booking.end)
  const instructor = seats.find(({ side }) => side === 'instructors')?.member
  const kind = booking.type === 'ground' || booking.type === 'sim' ? booking.type : 'flight'
  return {
    aircraft: multiplyRate(time, resource?.rates[settings.aircraftRateKind] ?? ZERO),
    instruction: multiplyRate(time, instructor?.rates[kind] ?? ZERO),
  }
}

/**
 * Checks that each paying member has at least the minimum balance left after their part of the expected cost: all of it
 * for the first payer, or equal parts, as the organization allocates its costs. A prepaid booking is not checked.
 * Implements interface §Booking rules.
 */
export function checkBalance(facts: Booked): Finding[] {
  const { booking, seats, settings } = facts
  const { pays } = typeRules[booking.type]
  if (pays === null || booking.prepaid) return []
  const payers = seats.filter(({ side }) => side === pays)
  const cost = estimatedCost(facts)
  return membersOn(payers).flatMap(({ seat, member, about }) => {
    if (member.balance === null) return []
    const part = partOf(cost, settings, { isFirst: seat === payers[0], payers: payers.length })
    const missingCents = settings.minimumBalanceCents - (member.balance - part)
    if (part === 0 || missingCents <= 0) return []
    const amount = formatMoney(cents(missingCents), settings.currency)
    const fix = { action: 'add_funds', missingCents, text: schedulingErrors.fixBalance({ amount }) } as const
    return [{ ...about, ...schedulingErrors.balanceTooLow({ name: seat.name, amount }), fix }]
  })
}

function partOf(
  cost: Estimate,
  { chargeRules }: Pick<SettingsFacts, 'chargeRules'>,
  { isFirst, payers }: { isFirst: boolean; payers: number },
): number {
  return (['aircraft', 'instruction'] as const).reduce((sum, kind) => {
    if (chargeRules[kind] === 'split_evenly') return sum + Math.ceil(cost[kind] / payers)
    return isFirst ? sum + cost[kind] : sum
  }, 0)
}
