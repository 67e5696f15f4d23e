import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  belowMinimums,
  bookingCancelled,
  bookingChanged,
  bookingCreated,
  bookingUpcoming,
} from '../../../shared/communication/notifications/templates/booking.rules.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { findRequesterOf } from '../../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { weatherFindings } from '../../../shared/scheduling/reservations/judge-weather-ahead.ts'
import { findDesk } from '../../../shared/scheduling/reservations/weather-ahead.queries.ts'
import { findTeachersOf } from '../../../shared/training/enrollments/teachers.queries.ts'
import {
  defineNotification,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  withRole,
} from '../../communication/notifications/define-notification.ts'
import { loadBooking, type NotifiedBooking } from './load-booking.ts'

/** Returns a booking that is not cancelled; null otherwise. */
export const activeBooking = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row) => row.cancelled_at === null)

/** Returns a booking that is cancelled, or that the event changed by removing people; null otherwise. */
const cancelled = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row, { changes }) => row.cancelled_at !== null || changes.length > 0)

/**
 * Returns a booking that is not cancelled, has not started, and whose start has not changed since its reminder was
 * enqueued; null otherwise.
 */
const upcomingBooking = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(
    sources,
    event,
    (row) =>
      row.cancelled_at === null &&
      row.starts_at > sources.clock() &&
      row.reminded_for?.getTime() === row.starts_at.getTime(),
  )

/** Returns the member who made the booking. */
function bookedBy({ row }: NotifiedBooking): number {
  return row.created_by
}

/** Returns the members and guests on the booking, except those whom the event added. */
export function crew({ came, row }: NotifiedBooking): Audience {
  return {
    orgUserIds: row.seats.flatMap(({ orgUserId }) => orgUserId ?? []).filter((id) => !came.orgUserIds.includes(id)),
    guestIds: row.seats.flatMap(({ guestId }) => guestId ?? []).filter((id) => !came.guestIds.includes(id)),
  }
}

/** Returns the audience with the instructors of the student of a solo flight, who answer for where it goes. */
async function withTeachers(
  { orgUserIds, guestIds }: Audience,
  { organizationId, row }: NotifiedBooking,
  { database }: NotificationSources,
): Promise<Audience> {
  if (row.type !== 'solo') return { orgUserIds, guestIds }
  const teachers = await findTeachersOf(database.db, organizationId, row.id, { chiefs: false })
  return { orgUserIds: [...new Set([...orgUserIds, ...teachers])], guestIds }
}

/** Returns the crew, and of a solo flight also the student's instructors. */
function crewAndTeachers(booking: NotifiedBooking, sources: NotificationSources): Promise<Audience> {
  return withTeachers(crew(booking), booking, sources)
}

/**
 * Returns the members and guests on a cancelled booking, and the dispatchers. For a change of a booking: the people who
 * were removed and are not on the booking again.
 */
async function crewBeforeAndDispatchers(booking: NotifiedBooking, sources: NotificationSources): Promise<Audience> {
  const { orgUserIds, guestIds } = crewBefore(booking)
  if (booking.changes.length > 0) return { orgUserIds, guestIds }
  const { organizationId, row } = booking
  const dispatchers = await withRole(
    sources,
    organizationId,
    ['dispatcher'],
    row.location?.id ?? row.resource?.locationId,
  )
  return { orgUserIds: [...new Set([...orgUserIds, ...dispatchers])], guestIds }
}

/**
 * Returns a flight that has not ramped out, with the findings of the current weather against the weather limits of its
 * people, and the members whom the findings are about (`pilots`); null when there are no findings.
 */
async function flightBelowMinimums(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { findings: string[]; pilots: number[] }) | null> {
  const booking = await loadBooking(sources, event, (row) => row.cancelled_at === null && row.ramped_out_at === null)
  if (!booking) return null
  const { db } = sources.database
  const desk = await findDesk(db, booking.organizationId)
  const found = await weatherFindings(db, desk, sources.clock(), booking.row)
  if (found.length === 0) return null
  const pilots = found.flatMap(({ orgUserId }) => orgUserId ?? [])
  return { ...booking, pilots, findings: found.map(({ message }) => message) }
}

/** Returns desk staff, the instructors of the booking, and the members whom the weather findings are about. */
async function deskAndPilots(
  booking: NotifiedBooking & { pilots: number[] },
  sources: NotificationSources,
): Promise<Audience> {
  const { orgUserIds } = await deskAndInstructor(booking, sources)
  return members([...new Set([...orgUserIds, ...booking.pilots])])
}

/** Returns desk staff and the instructors of the booking, as the audience. */
export async function deskAndInstructor(booking: NotifiedBooking, sources: NotificationSources): Promise<Audience> {
  const instructors = booking.row.seats.filter(({ side }) => side === 'instructors')
  const desk = await withRole(sources, booking.organizationId, deskStaff)
  return members([...new Set([...desk, ...instructors.flatMap(({ orgUserId }) => orgUserId ?? [])])])
}

function crewBefore(booking: NotifiedBooking): Audience {
  const { changes, left, row } = booking
  if (changes.length === 0) return crew(booking)
  return {
    orgUserIds: left.orgUserIds.filter((id) => !row.seats.some(({ orgUserId }) => orgUserId === id)),
    guestIds: left.guestIds.filter((id) => !row.seats.some(({ guestId }) => guestId === id)),
  }
}

/**
 * Returns the members and guests on a new booking, except the requester of its booking request, who is notified of the
 * approval instead, and the instructors of the student of a solo flight. For a changed booking: the people whom the change added. For a restored booking: all people on it.
 */
async function crewUnlessRequester(booking: NotifiedBooking, sources: NotificationSources): Promise<Audience> {
  if (booking.changes.length > 0) return booking.came
  if (booking.restored) return crewAndTeachers(booking, sources)
  const requester = await findRequesterOf(sources.database.db, booking.organizationId, booking.id)
  const { seats } = booking.row
  const told = {
    orgUserIds: seats.flatMap(({ orgUserId }) => (orgUserId === requester?.requester_id ? [] : (orgUserId ?? []))),
    guestIds: seats.flatMap(({ guestId }) => (guestId === requester?.guest_id ? [] : (guestId ?? []))),
  }
  return withTeachers(told, booking, sources)
}

/** The notifications of bookings, by their kind. */
export const reservationNotifications = {
  reservation_created: defineNotification(activeBooking, crewUnlessRequester, bookingCreated),
  reservation_changed: defineNotification(activeBooking, crewAndTeachers, bookingChanged),
  reservation_cancelled: defineNotification(cancelled, crewBeforeAndDispatchers, bookingCancelled),
  reservation_upcoming: defineNotification(upcomingBooking, crew, bookingUpcoming, undefined, bookedBy),
  below_minimums: defineNotification(flightBelowMinimums, deskAndPilots, belowMinimums),
} satisfies Partial<NotificationDefinitions>
