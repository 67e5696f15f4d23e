import { notify } from '../../communication/notifications/notify.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { guestDecisionJob } from '../scheduling.jobs.ts'
import type { BookingRequest } from './booking-request.entity.ts'

/** How long the mail waits for the payment page of a charged package, in milliseconds. */
const INVOICE_MS = 5_000

/**
 * Enqueues the notification of the desk's decision: to a member by their preferences, to a guest by mail. A request
 * that the desk cancels is announced to its member as rejected.
 */
export function notifyRequester(
  tx: Tx,
  actor: Actor,
  request: BookingRequest,
  { charged = false }: { charged?: boolean } = {},
): void {
  const { organizationId, id, requesterId, status } = request
  if (requesterId == null) {
    const availableAt = charged ? new Date(tx.now.getTime() + INVOICE_MS) : tx.now
    tx.enqueue(guestDecisionJob, { organizationId, bookingRequestId: id }, { availableAt })
  } else {
    const kind = status === 'approved' ? 'booking_request_approved' : 'booking_request_declined'
    notify(tx, { organizationId, kind, subjectId: id, causedBy: actor.orgUserId })
  }
}
