import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import { formatReading } from '../../platform/kernel/hours.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { hundredths } from '../../platform/kernel/units.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import { membersOn } from './pilot.rules.ts'
import type { Finding } from './problems.ts'
import { spanInWords } from './wording.rules.ts'

const HOUR_MS = 3_600_000
const HUNDREDTH_MS = 36_000
/**
 * 14 CFR 61.195(a), in milliseconds: in any 24 consecutive hours (`WINDOW_MS`), at most 8 hours of flight training
 * (`MOST_MS`).
 */
const WINDOW_MS = 24 * HOUR_MS
const MOST_MS = 8 * HOUR_MS

/** The types of booking on which a seated instructor gives flight training. Ground and simulator time do not count. */
export const trainingFlights: readonly ReservationType[] = ['dual', 'guest', 'rental']

/**
 * Checks that no instructor gives more than 8 hours of flight training in any 24 consecutive hours. Flown and booked training
 * counts. Implements 14 CFR 61.195(a) and interface §Booking rules.
 */
export function checkDuty({ booking, seats }: BookingFacts): Finding[] {
  if (!trainingFlights.includes(booking.type)) return []
  const instructors = seats.filter(({ side }) => side === 'instructors')
  return membersOn(instructors).flatMap(({ seat, about }) => {
    const others = seat.training.filter(({ reservationId: id }) => id === null || id !== booking.id)
    const { window, total } = busiestWindow(booking, others)
    if (total <= MOST_MS) return []
    const hours = formatReading(hundredths(Math.ceil(total / HUNDREDTH_MS)))
    const span = spanInWords(window, booking.zone, localDate(booking.start, booking.zone))
    return [{ ...about, ...schedulingErrors.tooMuchTraining({ name: seat.name, hours, span }) }]
  })
}

/** Returns the time whose flight training counts in the windows of 24 hours that touch a flight. */
export function aroundFlight({ start, end }: Interval): Interval {
  return { start: new Date(start.getTime() - WINDOW_MS), end: new Date(end.getTime() + WINDOW_MS) }
}

/**
 * Returns the window of 24 consecutive hours with the most flight training that touches a flight, and its training in
 * milliseconds. It is enough to compare the windows that start or end with a flight, and the first and last windows that
 * touch this flight. Implements 14 CFR 61.195(a).
 */
export function busiestWindow(flight: Interval, others: readonly Interval[]): { window: Interval; total: number } {
  const first = flight.start.getTime() - WINDOW_MS
  const last = flight.end.getTime()
  const near = others.filter(({ start, end }) => end.getTime() >= first && start.getTime() <= last + WINDOW_MS)
  const all = [...near, flight]
  const starts = [first, last, ...all.flatMap(({ start, end }) => [start.getTime(), end.getTime() - WINDOW_MS])]
  return starts
    .filter((start) => start >= first && start <= last)
    .map((start) => windowFrom(start, all))
    .reduce((a, b) => (b.total > a.total ? b : a))
}

function windowFrom(from: number, flights: readonly Interval[]) {
  const to = from + WINDOW_MS
  const total = flights.reduce(
    (sum, { start, end }) => sum + Math.max(Math.min(end.getTime(), to) - Math.max(start.getTime(), from), 0),
    0,
  )
  return { window: { start: new Date(from), end: new Date(to) }, total }
}
