import { identityErrors } from '../../identity/identity.errors.ts'
import type { Conflict } from '../../platform/kernel/errors.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

export const bookingRequestStatuses = ['awaiting_confirmation', 'pending', 'approved', 'declined', 'cancelled'] as const

export type BookingRequestStatus = (typeof bookingRequestStatuses)[number]

/**
 * The actions on a request: the guest confirms it, the desk approves or rejects it, the desk or the requester cancels
 * it.
 */
export type BookingRequestTrigger = 'confirm' | 'approve' | 'reject' | 'cancel'

/** The lifecycle as a table: the statuses before and after each trigger. Implements interface §Booking request. */
export const transitions: Readonly<
  Record<BookingRequestTrigger, { from: BookingRequestStatus; to: BookingRequestStatus }>
> = {
  confirm: { from: 'awaiting_confirmation', to: 'pending' },
  approve: { from: 'pending', to: 'approved' },
  reject: { from: 'pending', to: 'declined' },
  cancel: { from: 'pending', to: 'cancelled' },
}

/** Returns the status after a trigger; null where the trigger is not allowed. */
export function statusAfter(trigger: BookingRequestTrigger, status: BookingRequestStatus): BookingRequestStatus | null {
  const { from, to } = transitions[trigger]
  return status === from ? to : null
}

/** Returns the error for a request whose status allows no decision. */
export function refusalIn(status: BookingRequestStatus): Conflict {
  if (status === 'awaiting_confirmation') return schedulingErrors.requestUnconfirmed()
  return identityErrors.requestDecided({ decision: status })
}

/** The requester: a member, or a guest who has confirmed the request. */
export interface Requester {
  requesterId?: number | null | undefined
  guestId?: number | null | undefined
  guestEmail?: string | null | undefined
}

/**
 * Returns the seats of the approved booking: the seats that the desk sends, or else the seats of the request. An instructor
 * whom the desk names replaces the instructors of the request. A guest who made the request gets a guest seat unless one is
 * present already. Implements interface §Booking requests (approve).
 */
export function approvedSeats(
  requested: readonly SeatInput[],
  { guestId }: Requester,
  { seats, instructorOrgUserId }: { seats?: SeatInput[] | undefined; instructorOrgUserId: number | null },
): SeatInput[] {
  if (seats) return seats
  const others = requested.filter((seat) => instructorOrgUserId === null || seat.side !== 'instructors')
  const instructor: SeatInput[] =
    instructorOrgUserId === null ? [] : [{ side: 'instructors', index: 0, orgUserId: instructorOrgUserId }]
  const guest: SeatInput[] =
    guestId == null || others.some((seat) => seat.side === 'guests') ? [] : [{ side: 'guests', index: 0, guestId }]
  return [...instructor, ...others, ...guest]
}

/**
 * Returns whether the requester has a seat; a guest also matches by the email of the request. Implements
 * interface §Booking requests (approve).
 */
export function isOnIt({ requesterId, guestId, guestEmail }: Requester, seats: readonly SeatInput[]): boolean {
  return seats.some((seat) => {
    if ('orgUserId' in seat) return seat.orgUserId === requesterId
    return 'guestId' in seat ? seat.guestId === guestId : seat.email !== null && seat.email === guestEmail
  })
}
