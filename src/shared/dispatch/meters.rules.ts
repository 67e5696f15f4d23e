import type { ReservationType, ResourceKind } from '../fleet/resources/reservation-types.rules.ts'
import type { Invalid, Sentence } from '../platform/kernel/errors.ts'
import { formatReading, hundredthsFromTenths, readingToNumber } from '../platform/kernel/hours.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import { type Hundredths, hundredths, minus, type Tenths } from '../platform/kernel/units.ts'
import { dispatchErrors } from './dispatch.errors.ts'

export type Meter = 'hobbs' | 'tach'

/** One meter over one flight, in hundredths of an hour. */
export interface MeterRun {
  meter: Meter
  out: Hundredths
  in: Hundredths
}

/**
 * Why a reading or a briefing looks like a typo, in the shape that the interface returns. Readings and hours are JSON numbers in hours.
 * For a briefing, `out` is 0 and `in` is its length.
 */
export interface MeterAnomaly {
  meter: Meter | 'briefing'
  kind: 'extra_digits' | 'beyond_booking' | 'far_from_signed'
  out: number
  in: number
  hours: number
  allowedHours: number
}

const HUNDREDTH_MS = 36_000
const TENTH_MS = 360_000
const HOUR_MS = 3_600_000

/**
 * Returns why a booking cannot be ramped; null when it can. Only planes and simulators have meters; maintenance has no
 * close-out.
 * Implements interface §Reservation lifecycle, trigger rampOut.
 */
export function refuseRamp(type: ReservationType, resource: ResourceKind | null): Invalid | null {
  if (type === 'maintenance') return dispatchErrors.maintenanceNotRamped()
  if (resource === null) return dispatchErrors.resourceMissing()
  return resource === 'room' ? dispatchErrors.roomNotRamped() : null
}

/**
 * Returns one problem per meter whose reading in is below its reading out; equal readings are allowed. Implements
 * interface §Reservations, rampIn and updateReviewTimes. `within`: the field of the body that has the readings.
 */
export function runningBackwards(runs: readonly MeterRun[], within?: string): { field: string; message: Sentence }[] {
  return runs
    .filter((run) => run.in < run.out)
    .map((run) => {
      const name = `${run.meter}TimeIn`
      const field = within === undefined ? name : `${within}.${name}`
      const message = dispatchErrors.readingBackwards({ field, in: formatReading(run.in), out: formatReading(run.out) })
      return { field, message }
    })
}

/**
 * Returns why readings look like typos: the reading in has more whole digits than the reading out, or the meter ran
 * longer than twice the booked time plus one hour. One reading can have both anomalies.
 * Implements interface §Reservations rule 6.
 */
export function meterAnomalies(runs: readonly MeterRun[], booked: Interval): MeterAnomaly[] {
  const allowed = allowedFor(booked)
  return runs.flatMap((run) => {
    const figures = {
      out: readingToNumber(run.out),
      in: readingToNumber(run.in),
      hours: readingToNumber(minus(run.in, run.out)),
      allowedHours: readingToNumber(allowed),
    }
    const anomalies: MeterAnomaly[] = []
    if (wholeDigits(run.in) > wholeDigits(run.out)) {
      anomalies.push({ meter: run.meter, kind: 'extra_digits', ...figures })
    }
    if (run.in - run.out > allowed) anomalies.push({ meter: run.meter, kind: 'beyond_booking', ...figures })
    return anomalies
  })
}

/**
 * Returns why corrected readings of a signed flight look like typos: the reading out is farther from the signed one than the booking can
 * cover. Here `hours` is that distance. Otherwise the aircraft's meter could follow a misplaced digit of both readings for thousands of hours.
 * Implements interface §Reservations, correct.
 */
export function movedAnomalies(
  runs: readonly MeterRun[],
  signed: readonly MeterRun[],
  booked: Interval,
): MeterAnomaly[] {
  return runs.flatMap(({ meter, out, in: back }) => {
    const moved = hundredths(Math.abs(out - (signed.find((run) => run.meter === meter)?.out ?? out)))
    const allowed = allowedFor(booked)
    if (moved <= allowed) return []
    const readings = { out: readingToNumber(out), in: readingToNumber(back) }
    const hours = { hours: readingToNumber(moved), allowedHours: readingToNumber(allowed) }
    return [{ meter, kind: 'far_from_signed', ...readings, ...hours }]
  })
}

/** Returns the most hours that a booking can cover: twice the booked time plus one hour. */
function allowedFor({ start, end }: Interval): Hundredths {
  const allowedMs = 2 * (end.getTime() - start.getTime()) + HOUR_MS
  return hundredths((allowedMs - (allowedMs % HUNDREDTH_MS)) / HUNDREDTH_MS)
}

/** Returns whether a briefing is longer than the booked time plus one hour. Implements interface §Reservations rule 6. */
export function isLongBriefing(briefing: Tenths, booked: Interval): boolean {
  return briefing * TENTH_MS > booked.end.getTime() - booked.start.getTime() + HOUR_MS
}

/**
 * Returns why a briefing looks like a typo: it is longer than the booked time plus one hour. Empty when the briefing is plausible or
 * null (not given). Briefings are checked because they are billed and paid. Implements interface §Reservations rule 6.
 */
export function briefingAnomalies(briefing: Tenths | null, booked: Interval): MeterAnomaly[] {
  if (briefing === null || !isLongBriefing(briefing, booked)) return []
  const hours = readingToNumber(hundredthsFromTenths(briefing))
  const allowedMs = booked.end.getTime() - booked.start.getTime() + HOUR_MS
  const allowedHours = readingToNumber(hundredths((allowedMs - (allowedMs % HUNDREDTH_MS)) / HUNDREDTH_MS))
  return [{ meter: 'briefing', kind: 'beyond_booking', out: 0, in: hours, hours, allowedHours }]
}

/**
 * Returns the aircraft's meter after a ramp-in, in hundredths of an hour: the reading in, unless the meter (null: never
 * read) is already beyond it.
 * Implements interface §Reservation lifecycle, trigger rampIn.
 */
export function meterAfterRampIn(aircraft: Hundredths | null, readingIn: Hundredths): Hundredths {
  return aircraft === null || aircraft < readingIn ? readingIn : aircraft
}

/** The aircraft's meters in hundredths of an hour; null for a meter that it does not have or that was never read. */
export type AircraftMeters = Readonly<Record<Meter, Hundredths | null>>

/**
 * Returns the aircraft's meters after a flight's readings in are corrected from `before` to `after`. A meter moves, up
 * or down, only when it still equals this flight's reading; a correction of an older flight moves nothing.
 * Implements interface §Reservations rule 7.
 */
export function followCorrection(
  aircraft: AircraftMeters,
  before: AircraftMeters,
  after: AircraftMeters,
): { followed: boolean; meters: AircraftMeters } {
  const moves = (meter: Meter) =>
    after[meter] !== null && after[meter] !== before[meter] && aircraft[meter] === before[meter]
  const read = (meter: Meter) => (moves(meter) ? after[meter] : aircraft[meter])
  return { followed: moves('hobbs') || moves('tach'), meters: { hobbs: read('hobbs'), tach: read('tach') } }
}

function wholeDigits(reading: Hundredths): number {
  return formatReading(reading).indexOf('.')
}
