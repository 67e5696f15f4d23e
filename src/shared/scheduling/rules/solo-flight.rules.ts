import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** How far a solo flight goes that lands elsewhere: within 25 NM, repeatedly up to 50 NM, or beyond: 14 CFR 61.93(b), (c). */
export const crossCountryKinds = ['within25', 'repeated50', 'beyond'] as const
export type CrossCountryKind = (typeof crossCountryKinds)[number]

/** Where a solo flight goes. `airport` is the other airport at which it lands. A flight without all three is local. */
export interface SoloFlight {
  airport: string | null
  crossCountry: CrossCountryKind | null
  classB: boolean
}

/** An endorsement for where a student flies solo; null where it names none. */
export interface SoloEndorsement {
  code: string
  /** The airport of A.13, the other airport of A.8, and the local day of A.10, YYYY-MM-DD. */
  airport?: string | null
  otherAirport?: string | null
  flightOn?: string | null
}

/** One endorsement that a flight needs: any of these codes. `ofModel`: only one for the make and model. */
export interface NeededEndorsement {
  codes: readonly string[]
  ofModel: boolean
  /** What it must be for, such as an airport or a day; null for any. */
  named: string | null
  fits: (held: SoloEndorsement) => boolean
}

/** What a booking says of where it goes. */
interface SaidOfSolo {
  type: string
  solo?: SoloFlight | null
}

interface SoloFacts {
  booking: SaidOfSolo & { lessonIds: readonly number[] }
  crossCountryLessons: ReadonlySet<number>
}

/**
 * Returns where a solo flight goes: as the booking says, or else as its planned lesson does, which goes beyond 50 NM when it
 * credits solo and cross-country time; null for a local one. Implements interface §Booking rules and 14 CFR 61.1(b).
 */
export function soloFlightOf({ booking, crossCountryLessons }: SoloFacts): SoloFlight | null {
  if (booking.type !== 'solo') return null
  if (booking.solo) return booking.solo
  const isBeyond = booking.lessonIds.some((id) => crossCountryLessons.has(id))
  return isBeyond ? { airport: null, crossCountry: 'beyond', classB: false } : null
}

/**
 * Returns the endorsements for where a solo flight goes: A.8 for the other airport within 25 NM, A.9 with A.11 for repeated
 * flights up to 50 NM, A.9 with A.10 of the day for one beyond, and A.12 or A.13 in Class B airspace. An airport alone is one
 * within 25 NM, or one in Class B airspace. Implements 14 CFR 61.93(b) and (c), 61.95.
 */
export function neededForRoute({ airport, crossCountry, classB }: SoloFlight, start: Date, zone: string) {
  const day = localDate(start, zone)
  const isAt = (other: string | null | undefined) => airport === null || codeOf(other ?? '') === codeOf(airport)
  const nearby: NeededEndorsement = {
    codes: ['A.8'],
    ofModel: false,
    named: airport,
    fits: ({ otherAirport }) => isAt(otherAirport),
  }
  const trained: NeededEndorsement = { codes: ['A.9'], ofModel: true, named: null, fits: () => true }
  const repeated: NeededEndorsement = { codes: ['A.11'], ofModel: false, named: null, fits: () => true }
  const planned: NeededEndorsement = {
    codes: ['A.10'],
    ofModel: true,
    named: day,
    fits: ({ flightOn }) => flightOn === day,
  }
  const airspace: NeededEndorsement = {
    codes: ['A.12', 'A.13'],
    ofModel: false,
    named: airport,
    fits: (held) => held.code === 'A.12' || isAt(held.airport),
  }
  const away = { within25: [nearby], repeated50: [trained, repeated], beyond: [trained, planned] }
  const isNearby = airport !== null && !classB
  return [...(crossCountry ? away[crossCountry] : isNearby ? [nearby] : []), ...(classB ? [airspace] : [])]
}

/** Returns where a solo flight goes in words, such as `beyond 50 NM, in Class B airspace`; one that says nothing is local. */
export function routeInWords(solo: SoloFlight | null): string {
  const { airport = null, crossCountry = null, classB = false } = solo ?? {}
  const far = {
    within25: schedulingErrors.soloWithin,
    repeated50: schedulingErrors.soloRepeated,
    beyond: schedulingErrors.soloBeyond,
  }
  const parts = [
    ...(crossCountry ? [far[crossCountry]()] : []),
    ...(airport ? [schedulingErrors.soloTo({ airport })] : []),
    ...(classB ? [schedulingErrors.soloInClassB()] : []),
  ]
  return parts.length === 0 ? schedulingErrors.soloLocal() : parts.join(', ')
}

function codeOf(airport: string): string {
  return airport.trim().toUpperCase()
}

/** Returns whether two bookings say the same of where a solo flight goes. */
export function isSameSolo(one: SoloFlight | null, other: SoloFlight | null): boolean {
  if (!one || !other) return one === other
  return one.airport === other.airport && one.crossCountry === other.crossCountry && one.classB === other.classB
}
