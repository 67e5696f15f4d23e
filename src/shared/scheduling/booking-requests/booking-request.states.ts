export const bookingRequestStatuses = ['awaiting_confirmation', 'pending', 'approved', 'declined', 'cancelled'] as const

export type BookingRequestStatus = (typeof bookingRequestStatuses)[number]

/** What is done with a request: its guest opens the mailed link, the desk decides, the desk or who asked cancels. */
export type BookingRequestTrigger = 'confirm' | 'approve' | 'reject' | 'cancel'

/** The lifecycle on one screen: from which state each trigger leads where. Any other state it leaves as it is. */
export const transitions: Readonly<
  Record<BookingRequestTrigger, { from: BookingRequestStatus; to: BookingRequestStatus }>
> = {
  confirm: { from: 'awaiting_confirmation', to: 'pending' },
  approve: { from: 'pending', to: 'approved' },
  reject: { from: 'pending', to: 'declined' },
  cancel: { from: 'pending', to: 'cancelled' },
}

/** The state that a trigger leads to; null where it does not apply. */
export function statusAfter(trigger: BookingRequestTrigger, status: BookingRequestStatus): BookingRequestStatus | null {
  const { from, to } = transitions[trigger]
  return status === from ? to : null
}

/** What to say of a request that cannot be decided in its state. */
export function refusalIn(status: BookingRequestStatus): string {
  if (status === 'awaiting_confirmation') return 'The guest has not confirmed this request yet.'
  return `This request is ${status} already.`
}
