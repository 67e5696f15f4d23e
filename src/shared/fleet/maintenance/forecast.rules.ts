import type { Interval } from '../../platform/kernel/instants.ts'
import {
  firstDue,
  type Limit,
  type LimitBasis,
  leftOf,
  type MaintenanceDue,
  type MeterBasis,
  type MeterReadings,
} from './maintenance-item.rules.ts'

/** A booking of the aircraft that is still to be flown. */
export interface BookingAhead extends Interval {
  id: number
}

/** The average use of a meter per booked hour and per day, in hundredths of an hour or of a landing. */
export interface MeterUse {
  perBookedHour: number
  perDay: number
}

export type Use = Readonly<Record<MeterBasis, MeterUse>>

/**
 * `expectedAt`: when the limit is expected to be reached; null when that is unknown. `reservation`: the first booking
 * that goes beyond the limit; null when none does.
 */
export interface Expected {
  limit: Limit
  expectedAt: Date | null
  reservation: BookingAhead | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The most past days over which the use of an aircraft is averaged. */
export const PAST_DAYS = 90
/** The fewest days since the first reading from which an average per day says something. */
const LEAST_DAYS = 7

/** The use of an aircraft in the past: its booked hours, and the hundredths by which its meters advanced. */
export interface PastUse extends Readonly<Record<MeterBasis, number>> {
  bookedHours: number
  /** The days since the first reading, at most `PAST_DAYS`; 0 without a reading. */
  days: number
}

/** The use that is assumed for an aircraft without past bookings: one hour per booked hour, and no landings. */
export const unknownUse: Use = {
  hobbs: { perBookedHour: 100, perDay: 0 },
  tach: { perBookedHour: 100, perDay: 0 },
  landings: { perBookedHour: 0, perDay: 0 },
}

/**
 * Returns the average use of an aircraft: per booked hour, and per day since its first reading. When the first reading is less than seven
 * days ago, the average per day is 0, so that a forecast counts booked hours alone. When the Hobbs or tach meter did not advance,
 * one hour per booked hour is assumed.
 */
export function averageUse({ bookedHours, days, ...used }: PastUse): Use {
  const average = (meter: MeterBasis) => ({
    perBookedHour: used[meter] > 0 ? used[meter] / bookedHours : unknownUse[meter].perBookedHour,
    perDay: days < LEAST_DAYS ? 0 : used[meter] / Math.min(days, PAST_DAYS),
  })
  return { hobbs: average('hobbs'), tach: average('tach'), landings: average('landings') }
}

/**
 * Returns when a maintenance item is expected to come due, which is when the first of its limits is expected to be
 * reached. A calendar limit is reached at its due date. A limit by a meter is reached by the booked hours, at the
 * aircraft's ratio of flown to booked hours, or by the average use per day, whichever is earlier. The returned booking
 * is the first one that ends after the date or passes the reading.
 * Implements interface §Maintenance.
 * @param bookings the future bookings of the aircraft, by their start
 */
export function forecast(
  item: MaintenanceDue,
  at: { now: Date; meters: MeterReadings },
  bookings: readonly BookingAhead[],
  use: Use,
): Expected {
  const expected = item.limits.map((limit) => expect(limit, at, bookings, use))
  const known = expected.filter(({ expectedAt }) => expectedAt !== null)
  if (known.length === 0) return { limit: firstDue(item, at), expectedAt: null, reservation: null }
  return known.reduce((first, other) => (other.expectedAt! < first.expectedAt! ? other : first))
}

function expect(
  limit: Limit,
  at: { now: Date; meters: MeterReadings },
  bookings: readonly BookingAhead[],
  use: Use,
): Expected {
  const left = leftOf(limit, at)
  if (left === null) return { limit, expectedAt: null, reservation: null }
  if (limit.basis === 'calendar') {
    const reservation = bookings.find(({ end }) => end.getTime() > limit.dueAt!.getTime()) ?? null
    return { limit, expectedAt: limit.dueAt, reservation }
  }
  if (limit.basis === 'use') return { limit, expectedAt: left <= 0 ? at.now : null, reservation: null }
  const { perBookedHour, perDay } = use[limit.basis]
  const { reachedAt, reservation } = passing(left, bookings, perBookedHour)
  const onAverage = perDay > 0 ? at.now.getTime() + (Math.max(left, 0) / perDay) * DAY_MS : Infinity
  const earliest = left <= 0 ? at.now.getTime() : Math.min(reachedAt, onAverage)
  return { limit, expectedAt: Number.isFinite(earliest) ? new Date(Math.round(earliest)) : null, reservation }
}

/**
 * Returns when the bookings use up the `left` hundredths of a meter (milliseconds since 1970; Infinity for never), and
 * the first booking that exceeds them (null when none does).
 */
function passing(left: number, bookings: readonly BookingAhead[], perBookedHour: number) {
  let [used, reachedAt] = [0, Infinity]
  for (const booking of bookings) {
    const more = ((booking.end.getTime() - booking.start.getTime()) / HOUR_MS) * perBookedHour
    if (reachedAt === Infinity && more > 0 && used + more >= left) {
      reachedAt = booking.start.getTime() + ((left - used) / perBookedHour) * HOUR_MS
    }
    if (used + more > left) return { reachedAt, reservation: booking }
    used += more
  }
  return { reachedAt, reservation: null }
}

/** What is expected of a maintenance item when work on it starts. */
export interface ExpectedAtStart {
  /** What is left of the limit that is expected to be reached first, as `leftOf` returns it; null when that is unknown. */
  left: number | null
  basis: LimitBasis
  /** How much of the interval of that limit is not used, in whole tenths. */
  unusedTenths: number
  /** Whether the limit is passed before, and the first booking that does. */
  passes: boolean
  reservation: BookingAhead | null
}

/**
 * Returns what is expected of a maintenance item at the start of work that is done later, when only the bookings that have ended by then are
 * flown. Implements interface §Shop slots.
 */
export function forecastAt(
  item: MaintenanceDue,
  at: { now: Date; meters: MeterReadings },
  bookings: readonly BookingAhead[],
  use: Use,
  start: Date,
): ExpectedAtStart {
  const flown = bookings.filter(({ end }) => end <= start)
  const { limit } = forecast(item, at, bookings, use)
  const left = leftAt(limit, at, flown, use, start)
  const passed = item.limits.find((one) => (leftAt(one, at, flown, use, start) ?? 0) < 0)
  return {
    left,
    basis: limit.basis,
    unusedTenths: unusedTenths(limit, left),
    passes: passed !== undefined,
    reservation: passed ? forecast({ ...item, limits: [passed] }, at, flown, use).reservation : null,
  }
}

function leftAt(
  limit: Limit,
  at: { now: Date; meters: MeterReadings },
  flown: readonly BookingAhead[],
  use: Use,
  start: Date,
): number | null {
  const left = leftOf(limit, at)
  if (left === null || limit.basis === 'use') return left
  const elapsed = start.getTime() - at.now.getTime()
  if (limit.basis === 'calendar') return left - elapsed
  const { perBookedHour, perDay } = use[limit.basis]
  const booked = flown.reduce((sum, booking) => sum + booking.end.getTime() - booking.start.getTime(), 0) / HOUR_MS
  return left - Math.round(Math.max(booked * perBookedHour, (elapsed / DAY_MS) * perDay))
}

/** The days of a month in an interval of months, on average. */
const MONTH_DAYS = 365.25 / 12

function unusedTenths({ basis, interval, intervalDays, intervalMonths }: Limit, left: number | null): number {
  const days = intervalDays ?? (intervalMonths === null ? null : intervalMonths * MONTH_DAYS)
  const whole = basis === 'calendar' ? days && days * DAY_MS : interval
  if (left === null || left <= 0 || !whole) return 0
  return Math.min(10, Math.floor((left / whole) * 10))
}
