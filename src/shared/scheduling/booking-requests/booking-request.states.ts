import { identityErrors } from '../../identity/identity.errors.ts'
import type { Conflict } from '../../platform/kernel/errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
export const bookingRequestStatuses = ['awaiting_confirmation', 'pending', 'approved', 'declined', 'cancelled'] as const

export type BookingRequestStatus = (typeof bookingRequestStatuses)[number]

/** The actions on a request: its guest opens the mailed link, the desk decides, the desk or the requester cancels. */
export type BookingRequestTrigger = 'confirm' | 'approve' | 'reject' | 'cancel'

/** The lifecycle as a table: per trigger, from which state to which. Implements interface §Booking request. */
export const transitions: Readonly<
  Record<BookingRequestTrigger, { from: BookingRequestStatus; to: BookingRequestStatus }>
> = {
  confirm: { from: 'awaiting_confirmation', to: 'pending' },
  approve: { from: 'pending', to: 'approved' },
  reject: { from: 'pending', to: 'declined' },
  cancel: { from: 'pending', to: 'cancelled' },
}

/** Returns the state that a trigger leads to; null where it does not apply. */
export function statusAfter(trigger: BookingRequestTrigger, status: BookingRequestStatus): BookingRequestStatus | null {
  const { from, to } = transitions[trigger]
  return status === from ? to : null
}

/** Returns the error for a request that cannot be decided in its state. */
export function refusalIn(status: BookingRequestStatus): Conflict {
  if (status === 'awaiting_confirmation') return schedulingErrors.requestUnconfirmed()
  return identityErrors.requestDecided({ decision: status })
}
