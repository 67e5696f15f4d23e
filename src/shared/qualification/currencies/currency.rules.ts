import { addDays, endOfMonthAfter, localDate, wallToInstant } from '../../platform/kernel/zones.ts'

export const currencyKinds = ['expiring', 'recent_flights'] as const

export const currencyStatuses = ['current', 'expiring', 'expired', 'missing'] as const

type Status = (typeof currencyStatuses)[number]

/** What a currency asks: a date on record, or so many signed flights in so many days. */
export type Requirement = { kind: 'expiring' } | { kind: 'recent_flights'; count: number; days: number }

/** What is known of one member: the date on record, and the starts of their signed flights that count. */
export interface CurrencyEvidence {
  record: { completedAt: Date; expiresAt: Date | null } | null
  flights: readonly Date[]
}

/** Where a member stands. `expiresAt` is the first moment at which they are not current any more; null is never. */
export interface CurrencyState {
  completedAt: Date | null
  expiresAt: Date | null
  status: Status
}

const DAY_MS = 86_400_000

/** Where a member stands at an instant. It is `expiring` for the last `warnDays`. Days are local ones of the organization. */
export function standingAt(
  now: Date,
  rule: { requires: Requirement; warnDays: number },
  evidence: CurrencyEvidence,
  zone: string,
): CurrencyState {
  const { requires } = rule
  const held =
    requires.kind === 'expiring' ? evidence.record : recentFlights(requires, flightsBefore(now, evidence.flights), zone)
  if (!held) return { completedAt: null, expiresAt: null, status: 'missing' }
  return { ...held, status: statusAt(now, held.expiresAt, rule.warnDays) }
}

/**
 * When an expiring currency that was completed at an instant runs out: at the end of the month that lies so many
 * calendar months later. Null when the rule says no period.
 */
export function expiryOf(completedAt: Date, validCalendarMonths: number | null, zone: string): Date | null {
  return validCalendarMonths === null ? null : endOfMonthAfter(completedAt, validCalendarMonths, zone)
}

/**
 * Without another flight, the first moment at which recent flights have lapsed: so many local days are over since the
 * flight that tips the scale, the `count`th latest.
 */
export function lapseAfter(tipping: Date, days: number, zone: string): Date {
  return wallToInstant(addDays(localDate(tipping, zone), days + 1), 0, zone)
}

/** How an end is seen at an instant: `expiring` for the last `warnDays` (of 24 hours); null never comes. */
export function statusAt(now: Date, expiresAt: Date | null, warnDays: number): Status {
  if (expiresAt === null) return 'current'
  const left = expiresAt.getTime() - now.getTime()
  if (left <= 0) return 'expired'
  return left <= warnDays * DAY_MS ? 'expiring' : 'current'
}

/** Flights that are too few have lapsed with the latest of them. */
function recentFlights(
  { count, days }: { count: number; days: number },
  flights: readonly Date[],
  zone: string,
): { completedAt: Date; expiresAt: Date } | null {
  const completedAt = flights[0]
  if (!completedAt) return null
  const tipping = flights[count - 1]
  return { completedAt, expiresAt: tipping ? lapseAfter(tipping, days, zone) : completedAt }
}

/** The latest first. */
function flightsBefore(now: Date, flights: readonly Date[]): Date[] {
  return flights.filter((flown) => flown < now).sort((a, b) => b.getTime() - a.getTime())
}
