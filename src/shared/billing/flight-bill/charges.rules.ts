import type { Sentence } from '../../platform/kernel/errors.ts'
import { formatTenths, tenthsBetween, tenthsFromHundredths } from '../../platform/kernel/hours.ts'
import { multiplyRate } from '../../platform/kernel/money.ts'
import {
  type Cents,
  cents,
  type Hundredths,
  minus,
  sum,
  type Tenths,
  times,
  ZERO,
} from '../../platform/kernel/units.ts'
import { midnightsBetween } from '../../platform/kernel/zones.ts'
import { billingErrors } from '../billing.errors.ts'
import type { BillProblem, Charge, FlightCharge, InstructorHours, Readings } from './flight-bill.types.ts'

/**
 * Returns the charges of a flight before they are divided: aircraft or simulator time, flight instruction and ground
 * instruction, in that order, each rounded half up to the cent. A missing rate gives a warning instead of a charge.
 * Implements interface §Resource, cost.
 */
export function chargesOf(flight: FlightCharge): { charges: Charge[]; warnings: string[] } {
  const hours = instructorHours(flight)
  const instruction = (['flight', 'sim', 'ground'] as const).map((kind) => instructorTime(flight, kind, hours[kind]))
  const found = [resourceTime(flight), ...instruction].filter((one) => one !== null)
  return {
    charges: found.filter((one) => typeof one !== 'string'),
    warnings: found.filter((one) => typeof one === 'string'),
  }
}

/** The inputs of the billed time of a flight. */
type Timed = Pick<FlightCharge, 'type' | 'booked' | 'readings' | 'briefing'> & {
  resource: Pick<NonNullable<FlightCharge['resource']>, 'kind'> | null
}

/**
 * Returns an instructor's time on a flight in tenths of an hour, each rounded half up. Time in the air or in a simulator is measured
 * by Hobbs, even when the aircraft is billed by tach. Ground time is the briefing. In a sim lesson without a simulator, the briefing
 * is simulator time.
 * Implements interface §Resource, cost.
 */
export function instructorHours(flight: Timed): InstructorHours {
  const { type, resource, briefing } = flight
  const metered = (resource && resource.kind !== 'room' && timeByMeter(flight, 'hobbs')) || ZERO
  const [flown, onGround] = [type === 'sim' ? ZERO : metered, briefing ?? ZERO]
  if (type === 'sim' && resource === null) return { flight: ZERO, sim: onGround, ground: ZERO }
  return { flight: flown, sim: type === 'sim' ? metered : ZERO, ground: onGround }
}

/** Returns how long a meter ran, in hundredths of an hour; null when a reading is missing. */
export function runOf(readings: Readings, meter: 'hobbs' | 'tach'): Hundredths | null {
  const [out, back] = meter === 'hobbs' ? [readings.hobbsOut, readings.hobbsIn] : [readings.tachOut, readings.tachIn]
  return out === null || back === null ? null : minus(back, out)
}

/**
 * Returns the meter that bills the flight: Hobbs for simulators, the aircraft's setting for planes.
 * Implements interface §Resource, cost.billByHobbsTime.
 */
export function billingMeter({ resource }: Pick<FlightCharge, 'resource'>): 'hobbs' | 'tach' {
  return resource?.kind === 'plane' && !resource.billByHobbsTime ? 'tach' : 'hobbs'
}

type ChargeOrWarning = Charge | Sentence | null

/**
 * Returns the charge for the aircraft or simulator, at the wet or dry rate. The billed time is at least the overnight minimum times
 * the nights of the booking (midnights in the zone of the resource). Returns a warning when the readings or the rate are missing;
 * null when there is nothing to bill.
 */
function resourceTime(flight: FlightCharge): ChargeOrWarning {
  const { resource, settings, booked } = flight
  if (!resource || resource.kind === 'room') return null
  const ran = timeByMeter(flight, billingMeter(flight))
  if (ran === null) return billingErrors.noReadings({ resource: resource.name })
  const nights = midnightsBetween(booked.start, booked.end, resource.zone)
  const least = times(resource.overnightMinimumTenths ?? settings.overnightMinimumTenths, nights)
  const rateKind = settings.aircraftRateKind
  const rate = rateKind === 'wet' ? resource.wetRate : resource.dryRate
  const deciHours = least > ran ? least : ran
  if (deciHours === 0) return null
  if (rate === null)
    return billingErrors.noRate({ name: resource.name, kind: rateKind, hours: formatTenths(deciHours) })
  const measure = least > ran ? 'overnight minimum' : billingMeter(flight) === 'hobbs' ? 'Hobbs' : 'tach'
  return {
    kind: resource.kind === 'plane' ? 'aircraft' : 'simulator',
    rule: 'aircraft',
    description: `${resource.name} (${rateKind}, ${measure})`,
    deciHours,
    rateCents: rate,
    amountCents: multiplyRate(deciHours, rate),
  }
}

function instructorTime(
  { instructor }: FlightCharge,
  rateKind: keyof InstructorHours,
  deciHours: Tenths,
): ChargeOrWarning {
  if (!instructor || deciHours === 0) return null
  const rate = instructor.rates[rateKind]
  const name = { flight: 'Flight', ground: 'Ground', sim: 'Simulator' }[rateKind]
  if (rate === null)
    return billingErrors.noRate({ name: instructor.name, kind: rateKind, hours: formatTenths(deciHours) })
  return {
    kind: `${rateKind}_instruction`,
    rule: 'instruction',
    description: `${name} instruction, ${instructor.name}`,
    deciHours,
    rateCents: rate,
    amountCents: multiplyRate(deciHours, rate),
  }
}

/** Returns a meter's time in tenths, rounded half up. Without readings: the booked time of a simulator; null for an aircraft. */
function timeByMeter({ resource, readings, booked }: Timed, meter: 'hobbs' | 'tach'): Tenths | null {
  const run = runOf(readings, meter)
  if (run !== null) return tenthsFromHundredths(run)
  return resource?.kind === 'simulator' ? tenthsBetween(booked.start, booked.end) : null
}

/** The largest total of a bill, and the largest absolute amount of a line, in cents: sums up to this fit the database columns. */
export const MOST_CENTS = cents(2_000_000_000)

/** The largest total that the payment gateway collects in one invoice, and the largest absolute amount of a line, in cents. */
export const MOST_AT_GATEWAY_CENTS = cents(99_999_999)

/**
 * Returns the problems of amounts (cents) above `mostCents`: one problem for the total, in field `names.total`, or else
 * one per line, in field `<names.lines>.<index>`. The total includes `taxCents`. Lines are compared by their absolute amounts.
 * Implements interface §Limits (largest bill).
 */
export function outOfBounds(
  lines: readonly { amountCents: Cents }[],
  mostCents: Cents,
  names: { total: string; lines: string },
  taxCents: Cents = ZERO,
): BillProblem[] {
  const problem = (field: string) => ({ field, message: billingErrors.amountTooLarge({ field, limit: mostCents }) })
  const totalCents = sum([...lines.map(({ amountCents }) => amountCents), taxCents])
  if (totalCents > mostCents) return [problem(names.total)]
  return lines.flatMap(({ amountCents }, index) =>
    Math.abs(amountCents) > mostCents ? [problem(`${names.lines}.${index}`)] : [],
  )
}
