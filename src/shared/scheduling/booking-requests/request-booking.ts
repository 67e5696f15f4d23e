import { findMeetingHost } from '../../communication/meetings/connection.queries.ts'
import { mayCreate, needsApproval, type ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { qualificationErrors } from '../../qualification/qualification.errors.ts'
import { findRating } from '../../qualification/ratings.rules.ts'
import { BookingRequest, type RequestedMeeting } from '../booking-requests.tables.ts'
import { lockMembers } from '../reservations/slots.access.ts'
import { assertBookable } from '../rules/assert-bookable.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { locationOf } from '../rules/booking-input.access.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import { loadBookingFacts } from '../rules/load-booking-facts.ts'
import { findPoolMembers } from '../rules/pool.queries.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { defaultTitle, requesterSeat, requestProblems } from './request.rules.ts'

/** The booking that a member requests. */
export interface RequestedBooking extends Interval {
  type: ReservationType
  /** Null: a title from the type and the requester's name. */
  title: string | null
  /** Null: the organization's zone. */
  zone: string | null
  notes: string | null
  meetingUrl: string | null
  /** When the topic is null, it is the title of the request. */
  meeting: (Pick<RequestedMeeting, 'provider'> & { topic: string | null }) | null
  resourceId: number | null
  /** The pool in place of a resource, of which approval takes one. Absent or null: none. */
  pool?: string | null | undefined
  locationId: number | null
  ratingId: number | null
  passengers: number
  ifr: boolean
  /** Null: only the requester, on the side that the type bills. */
  seats: SeatInput[] | null
}

/**
 * Creates a booking request for a member whose bookings of the type need approval. It holds no slot: the booking rules
 * run again at approval, and only requests that could never be approved are refused now. Implements interface §Booking
 * requests.
 */
export async function requestBooking(tx: Tx, actor: Actor, input: RequestedBooking): Promise<{ id: number }> {
  const { organizationId, orgUserId, organization } = actor
  const { type, start, end, notes, meetingUrl, resourceId, pool = null, locationId, ratingId, passengers, ifr } = input
  const zone = input.zone ?? organization.timeZoneName
  const seats = input.seats ?? requesterSeat(type, orgUserId)
  // Waits for a concurrent removal of the member: it cancels this request later, or it ran first and the member is not found
  // below.
  await lockMembers(tx.db, [orgUserId])
  // The resources of a pool are alike in what could refuse the request for ever.
  const [ofPool = null] = pool === null ? [] : await findPoolMembers(tx.db, organizationId, { pool, locationId })
  const booking = {
    id: null,
    type,
    start,
    end,
    zone,
    resourceId: resourceId ?? ofPool,
    locationId,
    seats,
    passengers,
    ifr,
  }
  const facts = await loadBookingFacts(tx.db, actor, tx.now, booking)
  await locationOf(tx.db, actor, locationId, facts.locationId)
  if (ratingId !== null && !findRating(ratingId)) throw qualificationErrors.unknownRating({ field: 'rating.id' })
  assertNeedsApproval(actor, type)
  refuse(facts)
  const title = input.title ?? defaultTitle(type, actor.name)
  const meeting = input.meeting && { ...input.meeting, topic: input.meeting.topic ?? title }
  if (meeting) await assertHasHost(tx, actor, meeting, seats)
  const request = tx.em.create(BookingRequest, {
    organizationId,
    status: 'pending',
    type,
    startsAt: start,
    endsAt: end,
    timeZoneName: zone,
    title,
    notes,
    meetingUrl,
    meeting,
    resourceId,
    pool,
    locationId,
    ratingId,
    requesterId: orgUserId,
    passengers,
    ifr,
  })
  await tx.em.flush()
  await insertSeats(tx, organizationId, request.id, seats)
  emit(tx, actor, { kind: 'booking_request.submitted', subject: { kind: 'booking_request', id: request.id } })
  return { id: request.id }
}

function assertNeedsApproval({ roles, organization }: Actor, type: ReservationType): void {
  if (!mayCreate(roles, type) || needsApproval(roles, type, organization.settings.approvalRequired)) return
  throw schedulingErrors.approvalNotRequired()
}

function refuse(facts: BookingFacts): void {
  const problems = requestProblems(facts)
  const occurrence = { index: 1, start: facts.booking.start, end: facts.booking.end }
  assertBookable({ forbidden: null, judged: [{ occurrence, problems, denied: [] }] }, facts.booking.zone)
}

/** Checks that the requester or an instructor on the request has a connected account that can host the call. */
async function assertHasHost(
  { db }: Tx,
  { organizationId, orgUserId }: Actor,
  { provider }: RequestedMeeting,
  seats: readonly SeatInput[],
): Promise<void> {
  const instructors = seats.flatMap((seat) =>
    seat.side === 'instructors' && 'orgUserId' in seat ? [seat.orgUserId] : [],
  )
  if (await findMeetingHost(db, organizationId, provider, [...instructors, orgUserId])) return
  throw schedulingErrors.noMeetingAccount()
}

/** Inserts the seats of members; a member's request has no other seats. */
async function insertSeats(
  tx: Tx,
  organizationId: number,
  requestId: number,
  seats: readonly SeatInput[],
): Promise<void> {
  const rows = seats.flatMap((seat, position) =>
    'orgUserId' in seat
      ? [
          {
            organization_id: organizationId,
            booking_request_id: requestId,
            position,
            side: seat.side,
            membership_id: seat.orgUserId,
          },
        ]
      : [],
  )
  if (rows.length > 0) await tx.db.insertInto('booking_request_seat').values(rows).execute()
}
