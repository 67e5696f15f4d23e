import { identityErrors } from '../../identity/identity.errors.ts'
import type { Conflict } from '../../platform/kernel/errors.ts'
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
