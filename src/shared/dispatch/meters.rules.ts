import type { ReservationType, ResourceKind } from '../fleet/resources/reservation-types.rules.ts'
import { formatReading, type Hundredths, readingToNumber } from '../platform/kernel/hours.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import type { Refusal } from '../scheduling/reservations/lifecycle.states.ts'

export type Meter = 'hobbs' | 'tach'

/** One meter over one flight, in hundredths of an hour. */
export interface MeterRun {
  meter: Meter
  out: Hundredths
  in: Hundredths
}

/** What makes a reading look like a typo, as a client shows it; hours and readings are JSON numbers. */
export interface MeterAnomaly {
  meter: Meter
  kind: 'extra_digits' | 'beyond_booking'
  out: number
  in: number
  hours: number
  allowedHours: number
}

const HUNDREDTH_MS = 36_000
const HOUR_MS = 3_600_000

/** Why a booking has no meters to ramp, or null when it has: only planes and simulators do, and maintenance has no close-out. */
export function refuseRamp(type: ReservationType, resource: ResourceKind | null): Refusal | null {
  if (type === 'maintenance') return { status: 400, message: 'Maintenance is not ramped: it has no close-out.' }
  if (resource === null) return { status: 400, message: 'resource: name the aircraft or simulator first' }
  return resource === 'room' ? { status: 400, message: 'A room has no meters to ramp.' } : null
}

/** The readings that run backwards, each as a message naming the field; a meter that did not move is fine. */
export function runningBackwards(runs: readonly MeterRun[]): { field: string; message: string }[] {
  return runs
    .filter((run) => run.in < run.out)
    .map((run) => {
      const field = `${run.meter}TimeIn`
      const message = `${field}: ${formatReading(run.in)} is below the reading out, ${formatReading(run.out)}`
      return { field, message }
    })
}

/**
 * The anomaly guard over the readings of a flight: the whole hours of the reading in have more digits than those of
 * the reading out, or the hours exceed twice the booked hours plus one. A reading can be suspect on both counts.
 */
export function meterAnomalies(runs: readonly MeterRun[], booked: Interval): MeterAnomaly[] {
  const allowedMs = 2 * (booked.end.getTime() - booked.start.getTime()) + HOUR_MS
  const allowed = (allowedMs - (allowedMs % HUNDREDTH_MS)) / HUNDREDTH_MS
  return runs.flatMap((run) => {
    const figures = {
      out: readingToNumber(run.out),
      in: readingToNumber(run.in),
      hours: readingToNumber(run.in - run.out),
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

/** The aircraft's meter after a ramp-in: it only moves forward, whatever the reading. Null while nothing was ever read. */
export function meterAfterRampIn(aircraft: Hundredths | null, readingIn: Hundredths): Hundredths {
  return aircraft === null ? readingIn : Math.max(aircraft, readingIn)
}

/** The aircraft's meters, in hundredths of an hour; null where it has none or nothing was ever read. */
export type AircraftMeters = Readonly<Record<Meter, Hundredths | null>>

/**
 * The aircraft's meters after a flight's readings in were corrected from `before` to `after`. A meter follows, either
 * way, only when this flight is still what it reads; correcting an older flight moves nothing.
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
