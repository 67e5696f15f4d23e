import type { mailNotification } from '../../shared/communication/communication.jobs.ts'
import type { MailReader } from '../../shared/communication/notifications/recipients.queries.ts'
import { senderName } from '../../shared/identity/organizations/sender.rules.ts'
import type { Invitation } from '../../shared/platform/adapters/mail/mailer.port.ts'
import { addressOf } from '../../shared/platform/adapters/mail/sender-address.ts'
import type { JobPayload } from '../../shared/platform/contracts/define-job.ts'
import type { JobTools } from '../../shared/platform/jobs/job-tools.ts'
import { findBookingOf } from '../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { findChanges } from '../../shared/scheduling/calendar/calendar.queries.ts'
import { invitationTo } from '../../shared/scheduling/calendar/invitation.ts'
import { findReservation } from '../../shared/scheduling/reservations/one-reservation.queries.ts'
import type { ReservationRow } from '../../shared/scheduling/reservations/reservation.queries.ts'
import { findSeriesWith } from '../../shared/scheduling/reservations/series.queries.ts'

const bookingKinds: readonly string[] = [
  'reservation_created',
  'reservation_changed',
  'reservation_cancelled',
  'booking_request_approved',
]

/**
 * The most changes of a booking within 24 hours that are sent as calendar invitations. Mails about further changes have
 * no invitation. A cancellation is always sent as one.
 */
const MOST_A_DAY = 10

type Invited = Pick<
  JobPayload<typeof mailNotification>,
  'kind' | 'organizationId' | 'subjectId' | 'orgUserId' | 'guestId'
>

/**
 * Returns the calendar invitations of a notification's mail, one per booking: for a new series its dates, for a
 * cancelled series the dates that were cancelled together, otherwise one booking. None for other kinds of notification,
 * and for bookings that the reader is not on. An invitation is for one event (RFC 5546), so that each date can be moved
 * or cancelled separately; it has the UID of the event in the calendar feed.
 */
export async function bookingInvitations(
  { kind, organizationId, subjectId, orgUserId, guestId }: Invited,
  { database, config, clock }: JobTools,
  reader: MailReader,
): Promise<Invitation[]> {
  if (!bookingKinds.includes(kind)) return []
  const reservationId =
    kind === 'booking_request_approved'
      ? await findBookingOf(database.db, { organizationId, bookingRequestId: subjectId })
      : subjectId
  const first = reservationId === null ? null : await findReservation(database, organizationId, reservationId)
  if (!first) return []
  const isTakenOff = kind === 'reservation_cancelled' && first.cancelled_at === null
  const isSeated = ({ seats }: ReservationRow) =>
    isTakenOff || seats.some((seat) => (guestId === null ? seat.orgUserId === orgUserId : seat.guestId === guestId))
  const together =
    kind === 'reservation_changed' || isTakenOff ? [first] : await findSeriesWith(database, organizationId, first)
  const bookings = together.filter(isSeated)
  const changes = await findChanges(database.db, organizationId, bookings, clock())
  return bookings.flatMap((booking) => {
    const { sequence, today } = changes.get(booking.id) ?? { sequence: 0, today: 0 }
    if (today > MOST_A_DAY && !booking.cancelled_at) return []
    const organizer = { name: senderName(reader.organization), email: addressOf(config.MAIL_FROM) }
    const shown = isTakenOff ? { ...booking, cancelled_at: clock() } : booking
    return invitationTo(shown, reader, {
      publicUrl: config.PUBLIC_URL,
      sequence,
      organizer,
      notes: reader.as === 'member',
    })
  })
}
