import {
  booksForThemselves,
  longestDays,
  mayCreate,
  mayRecordPast,
  needsApproval,
} from '../../fleet/resources/reservation-types.rules.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { Finding } from './problems.ts'

/**
 * Returns the reason (403) why the caller may not create this booking themselves; null when they may. Students and renters
 * must be on their bookings, and must send a booking request where the organization requires approval. Implements interface
 * §Reservations and §Booking requests.
 */
export function forbidsBooking({ actor, booking, seats, settings }: BookingFacts): PlainError<403> | null {
  if (!booksForThemselves(actor.roles, booking.type)) return null
  if (!seats.some((seat) => seat.orgUserId === actor.orgUserId)) return schedulingErrors.ownBookingsOnly
  return needsApproval(actor.roles, booking.type, settings.approvalRequired) ? schedulingErrors.approvalRequired : null
}

/** Checks that the caller's roles allow the type of booking. Implements interface §Reservations (types by role). */
export function checkType({ actor, booking: { type } }: BookingFacts): Finding[] {
  if (mayCreate(actor.roles, type)) return []
  return [{ ...schedulingErrors.typeNotAllowed({ type }), field: 'type' }]
}

/**
 * Checks that a booking has passengers without a seat only when it is a rental or a shared flight. Implements interface
 * §Booking rules.
 */
export function checkPassengers({ booking: { type, passengers } }: BookingFacts): Finding[] {
  if (passengers === 0 || type === 'rental' || type === 'shared') return []
  return [{ ...schedulingErrors.passengersUnfit({ type }), field: 'passengers' }]
}

/** Checks that a booking says where a solo flight goes only when it is one. Implements interface §Booking rules. */
export function checkSolo({ booking }: BookingFacts): Finding[] {
  const { type, solo = null } = booking
  return solo !== null && type !== 'solo' ? [{ ...schedulingErrors.soloUnfit({ type }), field: 'solo' }] : []
}

const DAY_MS = 86_400_000

/**
 * Checks that a booking ends after it starts and lasts no longer than its type allows. Bookings by students and renters must
 * not start in the past; others may record a past flight. Implements interface §Reservations rule 2.
 */
export function checkTimes({ actor, booking, now }: BookingFacts): Finding[] {
  const found: Finding[] = []
  if (booking.end.getTime() <= booking.start.getTime()) {
    found.push({ ...schedulingErrors.endBeforeStart(), field: 'end' })
  }
  const most = longestDays(booking.type)
  if (booking.end.getTime() - booking.start.getTime() > most * DAY_MS) {
    found.push({ ...schedulingErrors.lastsTooLong({ type: booking.type, days: most }), field: 'end' })
  }
  if (booking.start.getTime() < now.getTime() && !mayRecordPast(actor.roles, booking.type)) {
    found.push({ ...schedulingErrors.beginsInPast(), field: 'start' })
  }
  return found
}
