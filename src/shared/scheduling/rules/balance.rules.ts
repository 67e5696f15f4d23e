import { type ReservationType, type Side, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { ratesOn, taxesOn } from '../../identity/organizations/taxes.rules.ts'
import { tenthsBetween } from '../../platform/kernel/hours.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { formatMoney, multiplyRate } from '../../platform/kernel/money.ts'
import { type Cents, cents, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type {
  AccountFacts,
  BookingFacts,
  MemberFacts,
  PackageFacts,
  ResourceFacts,
  SettingsFacts,
} from './booking-facts.types.ts'
import { mayKnowMoney } from './disclosure.rules.ts'
import { membersOn } from './pilot.rules.ts'
import type { Finding } from './problems.ts'

type Booked = Pick<BookingFacts, 'booking' | 'seats' | 'resource' | 'settings'>

/** What the expected cost depends on. */
export interface Priced {
  booking: Interval & { type: ReservationType }
  seats: readonly { side: Side; member: Pick<MemberFacts, 'rates'> | null }[]
  resource: Pick<ResourceFacts, 'rates'> | null
  settings: Pick<SettingsFacts, 'aircraftRateKind'>
}

type Asked = Booked & Pick<BookingFacts, 'actor'>

const kinds = ['aircraft', 'instruction'] as const

/** The expected cost of a booking, in cents without taxes. */
type Estimate = Record<(typeof kinds)[number], Cents>

/**
 * Returns the expected cost of a booking: its booked time at the rates of its aircraft or simulator and of its first
 * instructor. A missing rate counts as 0. Implements interface §Booking rules.
 */
export function estimatedCost({ booking, seats, resource, settings }: Priced): Estimate {
  const time = tenthsBetween(booking.start, booking.end)
  const instructor = seats.find(({ side }) => side === 'instructors')?.member
  const kind = booking.type === 'ground' || booking.type === 'sim' ? booking.type : 'flight'
  return {
    aircraft: multiplyRate(time, resource?.rates[settings.aircraftRateKind] ?? ZERO),
    instruction: multiplyRate(time, instructor?.rates[kind] ?? ZERO),
  }
}

/** Returns the expected cost of a booking, without taxes. */
export function estimateOf(priced: Priced): Cents {
  const { aircraft, instruction } = estimatedCost(priced)
  return plus(aircraft, instruction)
}

/**
 * Checks that the payer of each paying member keeps at least the minimum balance after paying their part of the expected cost. By
 * `chargeRules` the first payer carries all of a charge, or the payers carry equal parts. Packages reduce the part, and taxes
 * are added to the rest. Several members of one payer count together. A prepaid booking is not checked. Callers who are neither
 * desk staff nor the payer get no figure. Implements interface §Booking rules.
 */
export function checkBalance(facts: Asked): Finding[] {
  const { booking, seats, settings, actor } = facts
  const { pays } = typeRules[booking.type]
  if (pays === null || booking.prepaid) return []
  const payers = seats.filter(({ side }) => side === pays)
  const cost = estimatedCost(facts)
  const owed = new Map<number, Cents>()
  return membersOn(payers).flatMap(({ seat, member, about }) => {
    if (member.account === null) return []
    const parts = partsOf(cost, settings, { isFirst: seat === payers[0], payers: payers.length })
    const part = withTaxes(restOf(parts, member.account.packages, facts), member.account, facts)
    const payer = member.billToId ?? seat.orgUserId ?? 0
    const total = sum([owed.get(payer) ?? ZERO, part])
    owed.set(payer, total)
    const missingCents = settings.minimumBalanceCents - (member.account.balance - total)
    if (part === 0 || missingCents <= 0) return []
    if (!mayKnowMoney(actor, seat, member))
      return [{ ...about, ...schedulingErrors.balanceInsufficient({ name: seat.name }) }]
    const amount = formatMoney(cents(missingCents), settings.currency)
    return [{ ...about, ...lacking(seat.name, member.billToName, amount, missingCents) }]
  })
}

/** The problem that a payer lacks money. It names a payer other than the member, into whose account it is paid. */
function lacking(name: string, payer: string | null, amount: string, missingCents: number) {
  const fix = { action: 'add_funds', missingCents } as const
  if (payer === null) {
    const text = schedulingErrors.fixBalance({ amount })
    return { ...schedulingErrors.balanceTooLow({ name, amount }), fix: { ...fix, text } }
  }
  const text = schedulingErrors.fixPayerBalance({ amount, payer })
  return { ...schedulingErrors.payerBalanceTooLow({ payer, name, amount }), fix: { ...fix, text } }
}

function partsOf(
  cost: Estimate,
  { chargeRules }: Pick<SettingsFacts, 'chargeRules'>,
  { isFirst, payers }: { isFirst: boolean; payers: number },
): Estimate {
  const part = (kind: (typeof kinds)[number]) => {
    if (chargeRules[kind] === 'split_evenly') return cents(Math.ceil(cost[kind] / payers))
    return isFirst ? cost[kind] : ZERO
  }
  return { aircraft: part('aircraft'), instruction: part('instruction') }
}

/** Returns the part of the cost that packages do not cover, in cents, with the taxes that its invoice will have. */
function withTaxes(parts: Estimate, { taxExempt: exempt }: AccountFacts, facts: Booked): Cents {
  const { booking, resource, settings } = facts
  const terms = { rates: settings.taxRates, exempt, locationId: booking.locationId ?? resource?.locationId ?? null }
  const taxes = kinds.flatMap((kind) => taxesOn(parts[kind], ratesOn(lineKindOf(kind, facts), terms)))
  return sum([parts.aircraft, parts.instruction, ...taxes])
}

/**
 * Returns the part of the cost that packages do not cover, in cents by charge. The hours of a package cover each charge in
 * proportion to the booked time.
 */
function restOf(parts: Estimate, packages: readonly PackageFacts[], { booking, resource }: Booked): Estimate {
  const time = tenthsBetween(booking.start, booking.end)
  const left = { ...parts }
  for (const { unit, remaining, resourceIds, lineKinds } of packages) {
    if (resourceIds.length > 0 && !resourceIds.includes(resource?.id ?? 0)) continue
    let rest = remaining
    for (const kind of kinds) {
      if (lineKinds.length > 0 && !lineKinds.includes(lineKindOf(kind, { booking, resource }))) continue
      const worth = unit === 'cents' ? rest : Math.floor((parts[kind] * rest) / time)
      const covered = Math.min(left[kind], worth)
      left[kind] = cents(left[kind] - covered)
      rest -= unit === 'cents' ? covered : parts[kind] === 0 ? 0 : Math.ceil((time * covered) / parts[kind])
    }
  }
  return left
}

/** Returns the kind of the invoice line for a charge of a booking. */
function lineKindOf(kind: (typeof kinds)[number], { booking, resource }: Pick<Booked, 'booking' | 'resource'>): string {
  if (kind === 'aircraft') return resource?.kind === 'simulator' ? 'simulator' : 'aircraft'
  if (booking.type === 'ground') return 'ground_instruction'
  return booking.type === 'sim' ? 'sim_instruction' : 'flight_instruction'
}
