import type { DomainEvent } from '../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../shared/communication/notifications/deliver-to-audience.ts'
import {
  confirmedOnBehalf,
  flightCorrected,
  flightOverdue,
  leftGrounded,
  logContradicts,
  noShowNear,
  reviewNeeded,
} from '../../shared/communication/notifications/templates/booking.rules.ts'
import { findSignedFor } from '../../shared/dispatch/close-out.queries.ts'
import { findLog } from '../../shared/dispatch/flight-log.queries.ts'
import { noShowAt } from '../../shared/dispatch/no-show.rules.ts'
import { closeOutInWords, figuresInWords, sidesOutstanding } from '../../shared/dispatch/sign-off.rules.ts'
import { maintainers } from '../../shared/fleet/maintenance/change-squawk.ts'
import { findSettings } from '../../shared/identity/organizations/organization.queries.ts'
import { deskStaff } from '../../shared/platform/authz/roles.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinitions,
  type NotificationSources,
} from '../communication/notifications/define-notification.ts'
import { loadBooking, type NotifiedBooking } from '../scheduling/reservations/load-booking.ts'
import { activeBooking, crew, deskAndInstructor } from '../scheduling/reservations/reservations.notifications.ts'

/** Returns a booking that is not cancelled and not signed off; null otherwise. */
const unsigned = (sources: NotificationSources, event: DomainEvent) =>
  loadBooking(sources, event, (row) => row.cancelled_at === null && row.signed_off_at === null)

/**
 * Returns a booking whose flight log contradicts the booking's figures, with the members whose log entries do
 * (`loggedBy`); null when nothing contradicts, or the booking is cancelled.
 */
async function contradictedLog(
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
function logKeepers({ row, loggedBy }: NotifiedBooking & { loggedBy: number[] }): Audience {
  const instructors = row.seats.flatMap(({ side, orgUserId }) =>
    side === 'instructors' && orgUserId ? [orgUserId] : [],
  )
  return members(instructors.length > 0 ? instructors : [...new Set(loggedBy)])
}

/** Returns a flight that has ramped out, has not ramped in and is past its expected return; null otherwise. */
async function lateFlight(
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

/** Returns a booking that nobody has ramped out and that will be cancelled as a no-show; null otherwise. */
async function expectedBooking(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { noShowAt: Date }) | null> {
  const booking = await activeBooking(sources, event)
  const { noShowMinutes } = await findSettings(sources.database.db, event.organizationId)
  const at = booking && noShowAt(booking.row, noShowMinutes)
  return booking && at ? { ...booking, noShowAt: at } : null
}

/**
 * Returns a flight that the desk signed for a member, with that member and the flight's figures in words; null when
 * that signature is not on the flight any more.
 */
async function signedOnBehalf(
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
async function correctedFlight(
  sources: NotificationSources,
  event: DomainEvent,
): Promise<(NotifiedBooking & { signed: string; figures: string; reason: string }) | null> {
  const booking = await activeBooking(sources, event)
  const signed = booking?.row.signed_figures
  if (!booking || !signed) return null
  const reason = booking.row.correction_reason ?? ''
  return { ...booking, signed: closeOutInWords(signed), figures: figuresInWords(booking.row), reason }
}

/** Returns the member for whom the desk signed, as the audience. */
function signedFor({ signedFor }: { signedFor: number }): Audience {
  return members([signedFor])
}

/**
 * Returns the members who still have to confirm the flight: those on a side whose confirmation is missing, except
 * members who have confirmed.
 */
function pendingSigners({ row }: NotifiedBooking): Audience {
  const sides = sidesOutstanding(row)
  const signed = (id: number | null) => row.confirmations.some(({ orgUserId }) => orgUserId === id)
  const waiting = row.seats.filter(({ side, orgUserId }) => sides.includes(side) && !signed(orgUserId))
  return members(waiting.flatMap(({ orgUserId }) => orgUserId ?? []))
}

/** The notifications of flights, by their kind. */
export const flightNotifications = {
  review_needed: defineNotification(unsigned, pendingSigners, reviewNeeded),
  confirmed_on_behalf: defineNotification(signedOnBehalf, signedFor, confirmedOnBehalf),
  flight_corrected: defineNotification(correctedFlight, crew, flightCorrected),
  log_contradicts: defineNotification(contradictedLog, logKeepers, logContradicts),
  flight_overdue: defineNotification(lateFlight, deskAndInstructor, flightOverdue),
  no_show_near: defineNotification(expectedBooking, everyone(deskStaff), noShowNear),
  left_grounded: defineNotification(activeBooking, everyone(maintainers), leftGrounded),
} satisfies Partial<NotificationDefinitions>
