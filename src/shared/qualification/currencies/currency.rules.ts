import type { Enforcement } from '../../platform/authz/rule-settings.ts'
import { addDays, endOfDay, localDate, monthEndAfter } from '../../platform/kernel/zones.ts'

/** The kinds that a regulation rules: 14 CFR 61.57(a), (b) and (c), 61.56, 61.23 and 61.197. */
export const regulatedKinds = [
  'passenger_day',
  'passenger_night',
  'instrument',
  'flight_review',
  'medical',
  'instructor_certificate',
] as const

/** The kinds of currency; the first two are a school's own rules. */
export const currencyKinds = ['expiring', 'recent_flights', ...regulatedKinds] as const
export type CurrencyKind = (typeof currencyKinds)[number]

/** The kinds that are counted from flights, so that nothing is recorded. */
export const countedKinds: readonly CurrencyKind[] = ['recent_flights', 'passenger_day', 'passenger_night']

const kindsByAircraft: readonly CurrencyKind[] = ['passenger_day', 'passenger_night', 'instrument']

/** Returns whether a currency depends on the aircraft: its category, class, type and tailwheel. */
export function askedByAircraft(kind: CurrencyKind): boolean {
  return kindsByAircraft.includes(kind)
}

/** Whom a currency binds: everyone on the booking with one of its roles, or only who would be pilot in command. */
export const currencyAudiences = ['everyone', 'pic'] as const

export const currencyStatuses = ['current', 'expiring', 'expired', 'missing'] as const

export type CurrencyStatus = (typeof currencyStatuses)[number]

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

const DAY_MS = 86_400_000

/**
 * Returns when an expiring currency runs out: the first instant after the month that is so many calendar months after its
 * completion. Null when the rule has no period. Implements the calendar months of 14 CFR 61.56(c).
 */
export function expiryOf(completedAt: Date, validCalendarMonths: number | null, zone: string): Date | null {
  return validCalendarMonths === null
    ? null
    : endOfDay(monthEndAfter(localDate(completedAt, zone), validCalendarMonths), zone)
}

/**
 * Returns the first moment at which recent flights have lapsed when no flight is added: `days` local days after the
 * `count`th latest flight are over. Implements the preceding days of 14 CFR 61.57(a).
 */
export function lapseAfter(decisive: Date, days: number, zone: string): Date {
  return endOfDay(addDays(localDate(decisive, zone), days), zone)
}

/**
 * Returns the status at an instant before or after an end: `expiring` for the last `warnDays` (of 24 hours); null never
 * ends.
 */
export function statusAt(now: Date, expiresAt: Date | null, warnDays: number): CurrencyStatus {
  if (expiresAt === null) return 'current'
  const left = expiresAt.getTime() - now.getTime()
  if (left <= 0) return 'expired'
  return left <= warnDays * DAY_MS ? 'expiring' : 'current'
}
