import { createMeeting } from '../../../shared/communication/communication.jobs.ts'
import { findBookingRequest } from '../../../shared/scheduling/booking-requests/booking-request.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { type Answer, ok } from '../../http/answers.ts'
import { packageWarnings, type ResponseContext } from '../reservations/answer-reservation.ts'
import { beside, type Warning } from '../rules/problem.view.ts'
import { bookingRequestView } from './booking-request.view.ts'

/**
 * Returns an approved request with the warnings of the rules and the results of its video call and package. Waits for
 * the call and the package up to the configured time. When one of them is late or fails, the answer says so; the
 * request stays approved.
 * Implements interface §Booking requests (approve).
 */
export async function answerApproved(
  { id, invoiceId, warnings }: { id: number; invoiceId: number | null; warnings: Warning[] },
  context: ResponseContext,
): Promise<Answer> {
  const { services, actor, enqueued } = context
  const calls = enqueued.filter((row) => row.job === createMeeting.name)
  const others = enqueued.filter((row) => row.job !== createMeeting.name)
  const [ofPackage] = await Promise.all([
    packageWarnings({ ...context, enqueued: others }, invoiceId),
    services.relay.publishAndWait(calls, services.config.PROCESSOR_WAIT_MS),
  ])
  const row = await findBookingRequest(services.database, actor.organizationId, id)
  const waiting = row.meeting !== null && row.meeting_url === null && row.meeting_error === null
  const pending: Warning[] = waiting
    ? [{ rule: 'meeting', code: 'MEETING', message: schedulingErrors.callPending(), field: '', overridable: false }]
    : []
  return ok(bookingRequestView(row), {
    ...beside([...warnings, ...ofPackage, ...pending]),
    ...(row.meeting_error !== null && { meetingError: row.meeting_error }),
  })
}
