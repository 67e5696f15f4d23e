import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { addDays, dayOfWeek, localDate, localDates, wallToInstant } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { AvailabilityItem, BookingFacts, BusyTime } from './booking-facts.types.ts'
import type { Problem } from './problems.ts'
import { spanInWords } from './wording.rules.ts'

/**
 * Checks that everyone on the booking is free: no other live booking, no time off, and within the weekly availability.
 * Each problem names the person and the cause. Implements interface §Reservations rule 6.
 */
export function checkPeople({ booking, seats, zone }: BookingFacts): Problem[] {
  const day = localDate(booking.start, booking.zone)
  return seats.flatMap(({ side, name, orgUserId, member, taken }) => {
    const about = { field: `personnel.${side}`, orgUserId: orgUserId ?? undefined }
    const problems: Problem[] = clashes(booking, taken).map((other) => ({
      ...about,
      ...memberClash(name, other.reservationId, spanInWords(other, booking.zone, day)),
      reservationId: other.reservationId ?? undefined,
    }))
    for (const away of (member?.timeOff ?? []).filter((absence) => overlaps(absence, booking))) {
      const span = spanInWords(away, booking.zone, day)
      problems.push({ ...about, ...schedulingErrors.memberAway({ name, span }) })
    }
    if (member && !isAvailable(member.availability, booking, zone)) {
      const span = spanInWords(booking, booking.zone, day)
      problems.push({ ...about, ...schedulingErrors.memberNotAvailable({ name, span }) })
    }
    return problems
  })
}

/** Returns the busy times that a booking overlaps. Back to back is no clash, nor is the booking itself. */
export function clashes(booking: Interval & { id: number | null }, taken: readonly BusyTime[]): BusyTime[] {
  return taken.filter(
    (other) => (other.reservationId === null || other.reservationId !== booking.id) && overlaps(other, booking),
  )
}

function memberClash(name: string, reservationId: number | null, span: string) {
  if (reservationId === null) return schedulingErrors.memberHeld({ name, span })
  return schedulingErrors.memberBooked({ name, span, reservationId })
}

/**
 * Decides whether a weekly pattern covers the whole of an interval. Adjoining items count as one, across midnight too;
 * an empty pattern covers everything. Minutes are local, so the pattern keeps its wall times across clock changes.
 */
export function isAvailable(pattern: readonly AvailabilityItem[], wanted: Interval, zone: string): boolean {
  if (pattern.length === 0) return true
  const open = localDates(wanted.start, wanted.end, zone)
    .flatMap((date) => openOn(pattern, date, zone))
    .sort((a, b) => a.start.getTime() - b.start.getTime())
  let coveredTo = wanted.start.getTime()
  for (const { start, end } of open) {
    if (start.getTime() <= coveredTo) coveredTo = Math.max(coveredTo, end.getTime())
  }
  return coveredTo >= wanted.end.getTime()
}

function openOn(pattern: readonly AvailabilityItem[], date: string, zone: string): Interval[] {
  const today = dayOfWeek(wallToInstant(date, 720, zone), zone)
  return pattern
    .filter((item) => item.dayOfWeek === today)
    .map((item) => ({ start: wallToInstant(date, item.startMinute, zone), end: endOf(item, date, zone) }))
}

function endOf(item: AvailabilityItem, date: string, zone: string): Date {
  return item.endMinute === 1440 ? wallToInstant(addDays(date, 1), 0, zone) : wallToInstant(date, item.endMinute, zone)
}
