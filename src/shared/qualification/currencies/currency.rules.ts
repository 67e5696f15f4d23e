import type { Enforcement } from '../../platform/authz/rule-settings.ts'
import { addDays, endOfMonthAfter, localDate, wallToInstant } from '../../platform/kernel/zones.ts'

export const currencyKinds = ['expiring', 'recent_flights'] as const

/** Of whom a currency is asked: everyone on the booking with one of its roles, or only who would be pilot in command. */
export const currencyAudiences = ['everyone', 'pic'] as const

export const currencyStatuses = ['current', 'expiring', 'expired', 'missing'] as const

type Status = (typeof currencyStatuses)[number]

/** How a body says that a currency is enforced: `blocking` is the older word for `enforcement: block`. */
export interface EnforcementInput {
  enforcement?: Enforcement | undefined
  blocking?: boolean | undefined
}

/** Decides how a currency is enforced: as given, else as before; one that blocks no longer warns. */
export function enforcementOf({ enforcement, blocking }: EnforcementInput, before: Enforcement = 'warn'): Enforcement {
  if (enforcement !== undefined) return enforcement
  if (blocking) return 'block'
  return blocking === false && before === 'block' ? 'warn' : before
}

/** The requirement of a currency: a recorded date, or `count` signed flights in `days` days. */
export type Requirement = { kind: 'expiring' } | { kind: 'recent_flights'; count: number; days: number }

/** The evidence of one member: the recorded dates, and the starts of the signed flights that count. */
export interface CurrencyEvidence {
  record: { completedAt: Date; expiresAt: Date | null } | null
  flights: readonly Date[]
}

/** A member's state in a currency. `expiresAt` is the first moment at which it is no longer met; null is never. */
export interface CurrencyState {
  completedAt: Date | null
  expiresAt: Date | null
  status: Status
}

const DAY_MS = 86_400_000

/**
 * Returns a member's state at an instant; it is `expiring` for the last `warnDays`. Days are local ones of the
 * organization.
 */
export function currencyStateAt(
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
 * Returns when an expiring currency runs out: at the end of the month that is so many calendar months after its
 * completion. Null when the rule has no period. Implements the calendar months of 14 CFR 61.56(c).
 */
export function expiryOf(completedAt: Date, validCalendarMonths: number | null, zone: string): Date | null {
  return validCalendarMonths === null ? null : endOfMonthAfter(completedAt, validCalendarMonths, zone)
}

/**
 * Returns the first moment at which recent flights have lapsed when no flight is added: `days` local days after the
 * `count`th latest flight are over. Implements the preceding days of 14 CFR 61.57(a).
 */
export function lapseAfter(decisive: Date, days: number, zone: string): Date {
  return wallToInstant(addDays(localDate(decisive, zone), days + 1), 0, zone)
}

/**
 * Returns the status at an instant before or after an end: `expiring` for the last `warnDays` (of 24 hours); null never
 * ends.
 */
export function statusAt(now: Date, expiresAt: Date | null, warnDays: number): Status {
  if (expiresAt === null) return 'current'
  const left = expiresAt.getTime() - now.getTime()
  if (left <= 0) return 'expired'
  return left <= warnDays * DAY_MS ? 'expiring' : 'current'
}

/** Too few flights count as lapsed at the latest of them. */
function recentFlights(
  { count, days }: { count: number; days: number },
  flights: readonly Date[],
  zone: string,
): { completedAt: Date; expiresAt: Date } | null {
  const completedAt = flights[0]
  if (!completedAt) return null
  const decisive = flights[count - 1]
  return { completedAt, expiresAt: decisive ? lapseAfter(decisive, days, zone) : completedAt }
}

/** Returns the flights before an instant, the latest first. */
function flightsBefore(now: Date, flights: readonly Date[]): Date[] {
  return flights.filter((flown) => flown < now).sort((a, b) => b.getTime() - a.getTime())
}
