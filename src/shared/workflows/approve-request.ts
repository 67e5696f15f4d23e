import { createMeeting } from '../communication/communication.jobs.ts'
import { assertIsMember } from '../identity/members/member.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { applyDecision, lockForDecision } from '../scheduling/booking-requests/booking-request.access.ts'
import { approvedSeats, isOnIt } from '../scheduling/booking-requests/booking-request.states.ts'
import { findRequestedSeats } from '../scheduling/booking-requests/booking-request-details.queries.ts'
import { mailGuest } from '../scheduling/booking-requests/decide-request.ts'
import type { BookingRequest } from '../scheduling/booking-requests.tables.ts'
import { type Picked, pickInstructor } from '../scheduling/offerings/pick-instructor.ts'
import type { BookingWarning } from '../scheduling/rules/assert-bookable.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import type { LessonWarning } from '../training/enrollments/plan-lessons.ts'
import { createReservation } from './create-reservation.ts'
import { workflowsErrors } from './workflows.errors.ts'

/** Changes that desk staff make on approval; absent fields stay as requested. */
export interface ApprovalChanges {
  title?: string | undefined
  resourceId?: number | undefined
  locationId?: number | undefined
  /** Replaces the instructors of the request. */
  instructorOrgUserId?: number | undefined
  /** Replaces all people of the request. */
  seats?: SeatInput[] | undefined
  /** The rules that the desk overrides; none when absent. */
  overrides?: readonly GivenOverride[] | undefined
}

/**
 * Approves a booking request and creates its booking in the same transaction, under the current booking rules. When the
 * rules refuse the booking, the approval fails and the request stays pending. `invoiceId` is the invoice of a prepaid
 * package, otherwise null. A job creates a requested meeting.
 * Implements interface §Booking requests, POST /booking-requests/{id}/approve.
 */
export async function approveRequest(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: ApprovalChanges,
): Promise<{ id: number; invoiceId: number | null; warnings: (BookingWarning | LessonWarning)[] }> {
  const { organizationId } = actor
  const request = await lockForDecision(tx, actor, id, 'approve')
  if (changes.instructorOrgUserId !== undefined) {
    await assertIsMember(tx, actor, changes.instructorOrgUserId, 'instructorOrgUserId', ['instructor'])
  }
  const { resourceId, instructorOrgUserId } = await resolveAssignment(tx, actor, request, changes)
  const asked = await findRequestedSeats(tx.db, request)
  const seats = approvedSeats(asked, request, { seats: changes.seats, instructorOrgUserId })
  if (!isOnIt(request, seats)) throw workflowsErrors.requesterLeftOut()
  const { ids, invoiceId, warnings } = await createReservation(tx, actor, {
    id: null,
    requestId: id,
    title: changes.title ?? request.title,
    type: request.type,
    start: request.startsAt,
    end: request.endsAt,
    zone: request.timeZoneName,
    notes: request.notes ?? null,
    meetingUrl: request.meetingUrl ?? null,
    resourceId,
    pool: resourceId === null ? request.pool : null,
    locationId: changes.locationId ?? request.locationId ?? null,
    seats,
    passengers: request.passengers,
    ifr: request.ifr,
    recurrence: null,
    collectionStyle: request.collectionStyle,
    prepaidAmountCents: request.prepaidAmountCents ?? null,
    overrides: changes.overrides,
  })
  applyDecision(tx, actor, request, 'approve', { reservationId: ids[0]! })
  const after = { reservationId: ids[0]! }
  emit(tx, actor, { kind: 'booking_request.approved', subject: { kind: 'booking_request', id }, after })
  mailGuest(tx, request, { charged: invoiceId !== null })
  if (request.meeting) tx.enqueue(createMeeting, { organizationId, bookingRequestId: id })
  return { id, invoiceId, warnings }
}

/**
 * Returns the resource and the instructor of the booking. For a member's request: the changed or requested resource, and the changed
 * instructor (null when unchanged). For a guest's request: both are picked from the offering.
 */
async function resolveAssignment(
  tx: Tx,
  actor: Actor,
  request: BookingRequest,
  changes: ApprovalChanges,
): Promise<Picked> {
  const resourceId = changes.resourceId ?? request.resourceId ?? null
  const instructorOrgUserId = changes.instructorOrgUserId ?? leaderOf(changes.seats ?? [])
  const named = { resourceId, instructorOrgUserId }
  return request.requesterId == null ? pickInstructor(tx, actor, request, named) : named
}

function leaderOf(seats: readonly SeatInput[]): number | null {
  const seat = seats.find(({ side }) => side === 'instructors')
  return seat && 'orgUserId' in seat ? seat.orgUserId : null
}
