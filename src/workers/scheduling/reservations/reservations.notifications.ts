import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { findSignedFor } from '../../../shared/dispatch/close-out.queries.ts'
import { findLog } from '../../../shared/dispatch/flight-log.queries.ts'
import { figuresInWords, sidesOutstanding } from '../../../shared/dispatch/sign-off.rules.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { findRequesterOf } from '../../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { weatherFindings } from '../../../shared/scheduling/reservations/judge-weather-ahead.ts'
import { findDesk } from '../../../shared/scheduling/reservations/weather-ahead.queries.ts'
import { members, type NotificationSources, withRole } from '../../communication/notifications/define-notification.ts'
import { loadBooking, type NotifiedBooking } from './load-booking.ts'

/** Returns a booking that is not cancelled; null otherwise. */
export const activeBooking = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row) => row.cancelled_at === null)

/** Returns a booking that is cancelled, or that the event changed by removing people; null otherwise. */
export const cancelled = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row, { changes }) => row.cancelled_at !== null || changes.length > 0)

/**
 * Returns a booking that is not cancelled, has not started, and whose start has not changed since its reminder was
 * enqueued; null otherwise.
 */
export const upcomingBooking = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(
    sources,
    event,
    (row) =>
      row.cancelled_at === null &&
      row.starts_at > sources.clock() &&
      row.reminded_for?.getTime() === row.starts_at.getTime(),
  )

/** Returns the member who made the booking. */
export function bookedBy({ row }: NotifiedBooking): number {
  return row.created_by
}

/** Returns a booking that is not cancelled and not signed off; null otherwise. */
export const unsigned = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row) => row.cancelled_at === null && row.signed_off_at === null)

/**
 * Returns a booking whose flight log contradicts the booking's figures, with the members whose log entries do
 * (`loggedBy`); null when nothing contradicts, or the booking is cancelled.
 */
export async function contradictedLog(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { loggedBy: number[] }) | null> {
  const booking = await activeBooking(sources, event)
  if (!booking) return null
  const { problems } = await findLog(sources.database.db, booking.organizationId, booking.row)
  return problems.length === 0 ? null : { ...booking, loggedBy: problems.map(({ orgUserId }) => orgUserId) }
}

/**
 * Returns the instructors of the flight, because they write the log entries of everyone; without instructors, the
 * members whose entries contradict the figures.
 */
export function logKeepers({ row, loggedBy }: NotifiedBooking & { loggedBy: number[] }): Audience {
  const instructors = row.seats.flatMap(({ side, orgUserId }) =>
    side === 'instructors' && orgUserId ? [orgUserId] : [],
  )
  return members(instructors.length > 0 ? instructors : [...new Set(loggedBy)])
}

/** Returns the members and guests on the booking, except those whom the event added. */
export function crew({ came, row }: NotifiedBooking): Audience {
  return {
    orgUserIds: row.seats.flatMap(({ orgUserId }) => orgUserId ?? []).filter((id) => !came.orgUserIds.includes(id)),
    guestIds: row.seats.flatMap(({ guestId }) => guestId ?? []).filter((id) => !came.guestIds.includes(id)),
  }
}

/**
 * Returns the members and guests on a cancelled booking, and the dispatchers. For a change of a booking: the people who
 * were removed and are not on the booking again.
 */
export async function crewBeforeAndDispatchers(
  booking: NotifiedBooking,
  sources: NotificationSources,
): Promise<Audience> {
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

/** Returns a flight that has ramped out, has not ramped in and is past its expected return; null otherwise. */
export async function lateFlight(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { expectedBackAt: Date }) | null> {
  const booking = await loadBooking(
    sources,
    event,
    (row) => row.cancelled_at === null && row.ramped_out_at !== null && row.ramped_in_at === null,
  )
  const expectedBackAt = booking?.row.expected_back_at
  return booking && expectedBackAt && expectedBackAt <= sources.clock() ? { ...booking, expectedBackAt } : null
}

/**
 * Returns a flight that has not ramped out, with the findings of the current weather against the weather limits of its
 * people, and the members whom the findings are about (`pilots`); null when there are no findings.
 */
export async function flightBelowMinimums(
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

/**
 * Returns a flight that the desk signed for a member, with that member and the flight's figures in words; null when
 * that signature is not on the flight any more.
 */
export async function signedOnBehalf(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { figures: string; signedFor: number }) | null> {
  const booking = await loadBooking(sources, event, () => true)
  const signedFor = await findSignedFor(sources.database.db, event.organizationId, event.eventId)
  if (!booking?.row.confirmations.some(({ orgUserId }) => orgUserId === signedFor) || signedFor === null) return null
  return { ...booking, signedFor, figures: figuresInWords(booking.row) }
}

/**
 * Returns a flight whose figures were corrected after they were signed, with both figures in words; null when it was reopened since
 * then.
 */
export async function correctedFlight(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { signed: string; figures: string; reason: string }) | null> {
  const booking = await activeBooking(sources, event)
  const signed = booking?.row.signed_figures
  if (!booking || !signed) return null
  const { hobbsTimeOut, hobbsTimeIn, tachTimeOut, tachTimeIn, briefing } = signed
  const before = {
    hobbs_out: hobbsTimeOut,
    hobbs_in: hobbsTimeIn,
    tach_out: tachTimeOut,
    tach_in: tachTimeIn,
    briefing_tenths: briefing,
  }
  const reason = booking.row.correction_reason ?? ''
  return { ...booking, signed: figuresInWords(before), figures: figuresInWords(booking.row), reason }
}

/** Returns the member for whom the desk signed, as the audience. */
export function signedFor({ signedFor }: { signedFor: number }): Audience {
  return members([signedFor])
}

/** Returns desk staff, the instructors of the booking, and the members whom the weather findings are about. */
export async function deskAndPilots(
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
 * approval instead. For a changed booking: the people whom the change added. For a restored booking: all people on it.
 */
export async function crewUnlessRequester(
  booking: NotifiedBooking,
  { database }: NotificationSources,
): Promise<Audience> {
  if (booking.changes.length > 0) return booking.came
  if (booking.restored) return crew(booking)
  const requester = await findRequesterOf(database.db, booking.organizationId, booking.id)
  const { seats } = booking.row
  return {
    orgUserIds: seats.flatMap(({ orgUserId }) => (orgUserId === requester?.requester_id ? [] : (orgUserId ?? []))),
    guestIds: seats.flatMap(({ guestId }) => (guestId === requester?.guest_id ? [] : (guestId ?? []))),
  }
}

/**
 * Returns the members who still have to confirm the flight: those on a side whose confirmation is missing, except
 * members who have confirmed.
 */
export function pendingSigners({ row }: NotifiedBooking): Audience {
  const sides = sidesOutstanding(row)
  const signed = (id: number | null) => row.confirmations.some(({ orgUserId }) => orgUserId === id)
  const waiting = row.seats.filter(({ side, orgUserId }) => sides.includes(side) && !signed(orgUserId))
  return members(waiting.flatMap(({ orgUserId }) => orgUserId ?? []))
}
