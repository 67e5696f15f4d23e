import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import { addDays, dayOfWeek, localDate, localDates, wallToInstant } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { AvailabilityItem, BookingFacts, BusyTime, ClosureFacts } from './booking-facts.types.ts'
import { holds, keeps, offersAt } from './offers.rules.ts'
import { membersOn } from './pilot.rules.ts'
import type { Finding } from './problems.ts'
import { spanInWords } from './wording.rules.ts'

/**
 * Checks that nobody on the booking is on another live booking at the same time. Implements interface §Reservations rule 6.
 */
export function checkPeopleFree(facts: BookingFacts): Finding[] {
  const { booking, seats } = facts
  const day = localDate(booking.start, booking.zone)
  const open = facts.offers.length === 0 ? [] : offersAt(facts, [booking])
  const offers = open.filter((offer) => holds(offer, facts))
  const offered = seats
    .filter(({ orgUserId }) => offers.some((offer) => keeps(offer, orgUserId)))
    .map(({ side, name, orgUserId }) => ({
      field: `personnel.${side}`,
      orgUserId: orgUserId ?? undefined,
      ...schedulingErrors.memberOffered({ name }),
    }))
  const taken = seats.flatMap(({ side, name, orgUserId, taken }) =>
    clashes(booking, taken).map((other) => ({
      field: `personnel.${side}`,
      orgUserId: orgUserId ?? undefined,
      ...memberClash(name, other.reservationId, spanInWords(other, booking.zone, day)),
      reservationId: other.reservationId ?? undefined,
    })),
  )
  return [...taken, ...offered]
}

/** Checks time off and the weekly availability of everyone on the booking. Implements interface §Reservations rule 6. */
export function checkAvailability({ booking, seats, zone }: BookingFacts): Finding[] {
  const day = localDate(booking.start, booking.zone)
  return membersOn(seats).flatMap(({ seat: { name }, member, about }) => {
    const found: Finding[] = member.timeOff
      .filter((absence) => overlaps(absence, booking))
      .map((away) => ({
        ...about,
        ...schedulingErrors.memberAway({ name, span: spanInWords(away, booking.zone, day) }),
      }))
    if (!isAvailable(member.availability, booking, zone)) {
      const span = spanInWords(booking, booking.zone, day)
      found.push({ ...about, ...schedulingErrors.memberNotAvailable({ name, span }) })
    }
    return found
  })
}

/**
 * Returns the busy times that a booking overlaps. Adjoining times do not clash, and a booking does not clash with itself.
 * Implements interface §Reservations rule 2.
 */
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
 * Returns whether a weekly pattern covers the whole of an interval. Adjoining items count as one, also across midnight; an
 * empty pattern covers everything. Items are in local minutes, so they keep their wall times across clock changes. Implements
 * interface §Reservations rule 6.
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

/**
 * Checks that the booking overlaps no closure of the organization, of its resource, or of its own or its resource's location.
 * Maintenance is exempt. Implements interface §Closures.
 */
export function checkClosures({ booking, resource, closures }: BookingFacts): Finding[] {
  if (booking.type === 'maintenance') return []
  const day = localDate(booking.start, booking.zone)
  return closures
    .filter((closure) => overlaps(closure, booking) && isOf(closure, { booking, resource }))
    .map((closure) => {
      const { reason, resourceId, locationId } = closure
      const about = { span: spanInWords(closure, booking.zone, day), reason }
      if (resourceId !== null) {
        const found = schedulingErrors.resourceClosedFor({ ...about, resource: resource!.name })
        return { field: 'resource', resourceId, ...found }
      }
      const closed = locationId === null ? schedulingErrors.schoolClosedFor : schedulingErrors.locationClosedFor
      return { field: 'start', ...closed(about) }
    })
}

function isOf(
  { resourceId, locationId }: ClosureFacts,
  { booking, resource }: Pick<BookingFacts, 'booking' | 'resource'>,
): boolean {
  if (resourceId !== null) return resource?.id === resourceId
  return locationId === null || booking.locationId === locationId || resource?.locationId === locationId
}
