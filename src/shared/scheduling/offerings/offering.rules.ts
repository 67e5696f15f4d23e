import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { minuteOfDay } from '../../platform/kernel/zones.ts'
import { type Coordinates, touchesDark } from '../rules/night.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** When an offering is charged, and its price in cents. */
export interface Pricing {
  collectionStyle: 'close_out' | 'prepaid_fixed'
  priceCents: Cents | null
}

/** The lowest price of a package, in cents: the lowest amount that the payment gateway charges to a card. */
export const LEAST_PACKAGE_CENTS = 50

/**
 * Returns the problem of a pricing, which names the field; null when it is valid. A prepaid offering needs a price of at
 * least 50 cents. Implements interface §Reservation, `prepaidAmountCents`.
 */
export function pricingProblem({ collectionStyle, priceCents }: Pricing): Sentence | null {
  if (collectionStyle !== 'prepaid_fixed' || (priceCents !== null && priceCents >= LEAST_PACKAGE_CENTS)) return null
  return schedulingErrors.packagePriceTooLow({ minimum: LEAST_PACKAGE_CENTS })
}

/** The time of day at which an offering is flown. */
export interface OfferedHours {
  /** The earliest and the latest start, in minutes after local midnight at the location of the aircraft; null: no limit. */
  earliestMinute: number | null
  latestMinute: number | null
  /** Whether start and end are between sunrise and sunset at that location. */
  daylight: boolean
}

/** The location of an aircraft; `coordinates` are null when they are not recorded. */
export interface LocationFacts {
  zone: string
  coordinates: Coordinates | null
}

/** Returns the problem of the hours of an offering, which names the field; null when there is none. */
export function hoursProblem({ earliestMinute, latestMinute }: Omit<OfferedHours, 'daylight'>): Sentence | null {
  if (earliestMinute === null || latestMinute === null || earliestMinute < latestMinute) return null
  return schedulingErrors.latestBeforeEarliest()
}

/**
 * Returns whether an offering is flown at a time from a location. Without its coordinates an offering by daylight is not flown there.
 * Openings and requests of guests both ask this.
 */
export function isOffered(hours: OfferedHours, slot: Interval, { zone, coordinates }: LocationFacts): boolean {
  const { earliestMinute, latestMinute, daylight } = hours
  const minute = minuteOfDay(slot.start, zone)
  if (earliestMinute !== null && minute < earliestMinute) return false
  if (latestMinute !== null && minute > latestMinute) return false
  return !daylight || (coordinates !== null && !touchesDark(slot, coordinates, 'sunless'))
}
