import type { Enforcement } from '../../platform/authz/rule-settings.ts'
import { addDays, endOfDay, localDate, monthEndAfter, wallToInstant } from '../../platform/kernel/zones.ts'

/** The kinds that follow a regulation: 14 CFR 61.57(a), (b) and (c), 61.56, 61.23 and 61.197. */
export const regulatedKinds = [
  'passenger_day',
  'passenger_night',
  'instrument',
  'flight_review',
  'medical',
  'instructor_certificate',
] as const

/** The kinds of currency; the first three are a school's own rules. */
export const currencyKinds = ['expiring', 'recent_flights', 'hours_in_model', ...regulatedKinds] as const
export type CurrencyKind = (typeof currencyKinds)[number]

/** The kinds that are counted from flights, for which no dates are recorded. */
export const countedKinds: readonly CurrencyKind[] = [
  'recent_flights',
  'hours_in_model',
  'passenger_day',
  'passenger_night',
]

const kindsByAircraft: readonly CurrencyKind[] = ['hours_in_model', 'passenger_day', 'passenger_night', 'instrument']

/**
 * Returns whether a currency depends on the aircraft: its category, class, type, tailwheel or model. Implements
 * 14 CFR 61.57(a), (b) and (c).
 */
export function askedByAircraft(kind: CurrencyKind): boolean {
  return kindsByAircraft.includes(kind)
}

/** To whom a currency applies: everyone on the booking with one of its roles, or only the pilot in command. */
export const currencyAudiences = ['everyone', 'pic'] as const

export const currencyStatuses = ['current', 'expiring', 'expired', 'missing'] as const

export type CurrencyStatus = (typeof currencyStatuses)[number]

/** The enforcement of a currency in a request; `blocking: true` is the older form of `enforcement: block`. */
export interface EnforcementInput {
  enforcement?: Enforcement | undefined
  blocking?: boolean | undefined
}

/**
 * Returns the enforcement of a currency: the given one, or else the one before. `blocking: true` means `block`; `blocking:
 * false` turns `block` into `warn`. Implements interface §Booking rules.
 */
export function enforcementOf({ enforcement, blocking }: EnforcementInput, before: Enforcement = 'warn'): Enforcement {
  if (enforcement !== undefined) return enforcement
  if (blocking) return 'block'
  return blocking === false && before === 'block' ? 'warn' : before
}

/** Why a currency ended before its recorded end. */
export const endReasons = ['denied', 'suspended', 'surrendered', 'condition'] as const
export type EndReason = (typeof endReasons)[number]

/** The kinds that have recorded dates of their own, so that somebody can end them. The other kinds follow from flights or checks. */
const endableKinds: readonly CurrencyKind[] = ['medical', 'instructor_certificate', 'expiring']

/** Returns whether somebody can end a currency of this kind before its recorded end. */
export function isEndable(kind: CurrencyKind): boolean {
  return endableKinds.includes(kind)
}

const DAY_MS = 86_400_000

/**
 * Returns when an expiring currency ends: the first instant after the last day of the `validCalendarMonths`th calendar
 * month after its completion; null when the rule has no period. Counts calendar months as 14 CFR 61.56(c) does.
 */
export function expiryOf(completedAt: Date, validCalendarMonths: number | null, zone: string): Date | null {
  return validCalendarMonths === null
    ? null
    : endOfDay(monthEndAfter(localDate(completedAt, zone), validCalendarMonths), zone)
}

/**
 * Returns when a currency ends that somebody ended on a local day: when that day begins, unless it ended by itself before.
 * Implements interface §Currencies.
 */
export function cutShort(
  expiresAt: Date | null,
  endedOn: string | null,
  zone: string,
): { expiresAt: Date | null; endedEarly: boolean } {
  const endedAt = endedOn === null ? null : wallToInstant(endedOn, 0, zone)
  const endedEarly = endedAt !== null && (expiresAt === null || endedAt < expiresAt)
  return { expiresAt: endedEarly ? endedAt : expiresAt, endedEarly }
}

/**
 * Returns the first instant at which recent flights have lapsed when no flight is added: the end of the local day
 * `days` days after `decisive`, the `count`th latest flight. Counts days as 14 CFR 61.57(a) does.
 */
export function lapseAfter(decisive: Date, days: number, zone: string): Date {
  return endOfDay(addDays(localDate(decisive, zone), days), zone)
}

/**
 * Returns from when on flights count for what somebody still has to fly: those that count today, to restore a currency that ended;
 * those that count on the day after its last one, to keep it.
 */
export function countedSince(end: Date | null, days: number, { now, zone }: { now: Date; zone: string }): Date {
  return wallToInstant(addDays(localDate(end !== null && end > now ? end : now, zone), -days), 0, zone)
}

/**
 * Returns the status at an instant of a currency with this end: `expiring` in the last `warnDays` days (of 24 hours); always
 * `current` when the end is null. Implements interface §Currencies.
 */
export function statusAt(now: Date, expiresAt: Date | null, warnDays: number): CurrencyStatus {
  if (expiresAt === null) return 'current'
  const left = expiresAt.getTime() - now.getTime()
  if (left <= 0) return 'expired'
  return left <= warnDays * DAY_MS ? 'expiring' : 'current'
}
