import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import {
  findBookingRequest,
  findRequestForReader,
  listForDesk,
  listRequestsOf,
} from '../../../shared/scheduling/booking-requests/booking-request.queries.ts'
import { cancelRequest, rejectRequest } from '../../../shared/scheduling/booking-requests/decide-request.ts'
import { approvalPolicy } from '../../../shared/scheduling/booking-requests/policy.rules.ts'
import { requestBooking } from '../../../shared/scheduling/booking-requests/request-booking.ts'
import {
  bookingFieldErrors,
  bookingRuleErrors,
  schedulingErrors,
} from '../../../shared/scheduling/scheduling.errors.ts'
import { approveRequest } from '../../../shared/workflows/approve-request.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { bookingWarnings } from '../rules/problem.view.ts'
import { answerApproved } from './answer-approved.ts'
import { BookingPolicy, policyView } from './booking-policy.view.ts'
import { BookingRequest, bookingRequestView } from './booking-request.view.ts'
import { ApprovalBody, RejectBody, RequestBody, toApproval, toRequest } from './booking-requests.schemas.ts'

const tag = 'Booking requests'
const answers = { 200: envelope(BookingRequest) }

/** The endpoints of booking requests. Implements interface §Booking requests. */
export const bookingRequestRoutes: Routes = (on) => {
  on.get('/booking-requests', {
    id: 'listBookingRequests',
    access: deskStaff,
    tag,
    summary: 'The booking requests before the desk, by start',
    description:
      'What is pending; public guests who were approved in the last 30 days and are not invited yet; and aircraft that ' +
      'are held for guests who have yet to open the mailed link, without their name, email and phone.',
    query: ListQuery,
    answers: { 200: envelope(z.array(BookingRequest)) },
    read: async ({ services, actor, query, now }) =>
      page(await listPage(listForDesk(services.database, actor.organizationId, now), query, bookingRequestView)),
  })

  on.post('/booking-requests', {
    id: 'createBookingRequest',
    access: 'member',
    tag,
    summary: 'Ask the desk for a booking',
    description:
      'For members whose bookings of the type need approval (`GET /booking-requests/policy/me`). A request holds no ' +
      'slot: it is refused only for what could never be approved, and every rule of booking is asked when the desk ' +
      'decides. Who asks is on it; an instructor who is left out is found by the desk. `meeting` is made on approval ' +
      'with the instructor’s connected account, or else with the caller’s.',
    body: RequestBody,
    answers: { 201: envelope(BookingRequest) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.unknownLocation,
      fleetErrors.unknownResource,
      qualificationErrors.unknownRating,
      schedulingErrors.approvalNotRequired,
      schedulingErrors.noMeetingAccount,
      schedulingErrors.unknownGuest,
      schedulingErrors.typeNotAllowed,
      schedulingErrors.sideTooFull,
      schedulingErrors.sideTooEmpty,
    ],
    write: (tx, { actor, body }) => requestBooking(tx, actor, toRequest(body)),
    answer: async ({ id }, { services, actor }) =>
      created(bookingRequestView(await findBookingRequest(services.database, actor.organizationId, id))),
  })

  on.get('/booking-requests/me', {
    id: 'listOwnBookingRequests',
    access: 'member',
    tag,
    summary: 'One’s own booking requests, the latest start first',
    query: ListQuery,
    answers: { 200: envelope(z.array(BookingRequest)) },
    read: async ({ services, actor, query }) =>
      page(await listPage(listRequestsOf(services.database, actor), query, bookingRequestView)),
  })

  on.get('/booking-requests/policy/me', {
    id: 'readOwnBookingPolicy',
    access: 'member',
    tag,
    summary: 'Whether the caller has to ask before booking',
    description:
      'The caller’s roles whose bookings need approval, and the types of booking that the caller has to request.',
    answers: { 200: envelope(BookingPolicy) },
    read: async ({ actor }) =>
      ok(policyView(approvalPolicy(actor.roles, actor.organization.settings.approvalRequired))),
  })

  on.get('/booking-requests/:id', {
    id: 'readBookingRequest',
    access: 'member',
    tag,
    summary: 'Read a booking request',
    description: 'For desk staff and who asked.',
    params: IdParams,
    answers,
    errors: [schedulingErrors.noSuchRequest],
    read: async ({ services, actor, params }) =>
      ok(bookingRequestView(await findRequestForReader(services.database, actor, params.id))),
  })

  on.post('/booking-requests/:id/approve', {
    id: 'approveBookingRequest',
    access: deskStaff,
    tag,
    summary: 'Approve a booking request',
    description:
      'Makes the booking, as the caller, in the same transaction; every rule of booking is asked as things stand now. ' +
      'A refusal names everyone and everything that stands in the way, and the request stays pending. For a guest, ' +
      'aircraft and instructor that are not named are found among what the offering has. The answer waits up to 10 ' +
      'seconds for a call that was wished for and for the charge of a prepaid package: the approval stands whatever ' +
      'becomes of them. `meetingError` says why the call could not be made, `warnings` what the rules warn of and what is still under way.',
    params: IdParams,
    body: ApprovalBody,
    answers: { 200: envelope(BookingRequest, { ...bookingWarnings, meetingError }) },
    errors: [
      ...bookingFieldErrors,
      identityErrors.lacksRole,
      schedulingErrors.unknownMember,
      schedulingErrors.unknownResourceId,
      billingErrors.prepaidWithoutPayer,
      billingErrors.balanceOutOfBounds,
      workflowsErrors.requesterLeftOut,
      ...bookingRuleErrors,
      [platformErrors.emailNotVerified, 'when the package is paid in advance'],
      schedulingErrors.priceForStaff,
      schedulingErrors.noSuchRequest,
      identityErrors.requestDecided,
      schedulingErrors.requestUnconfirmed,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params, body }) => approveRequest(tx, actor, params.id, toApproval(body)),
    answer: answerApproved,
  })

  on.post('/booking-requests/:id/cancel', {
    id: 'cancelBookingRequest',
    access: 'member',
    tag,
    summary: 'Cancel a booking request',
    description:
      'For who asked, and desk staff: then who asked is told, a member as of one that is declined, a guest by mail.',
    params: IdParams,
    answers,
    errors: [schedulingErrors.noSuchRequest, identityErrors.requestDecided, schedulingErrors.requestUnconfirmed],
    write: (tx, { actor, params }) => cancelRequest(tx, actor, params.id),
    answer: async ({ id }, { services, actor }) =>
      ok(bookingRequestView(await findBookingRequest(services.database, actor.organizationId, id))),
  })

  on.post('/booking-requests/:id/reject', {
    id: 'declineBookingRequest',
    access: deskStaff,
    tag,
    summary: 'Decline a booking request',
    description: 'Who asked is told, with the reason.',
    params: IdParams,
    body: RejectBody,
    answers,
    errors: [schedulingErrors.noSuchRequest, identityErrors.requestDecided, schedulingErrors.requestUnconfirmed],
    write: (tx, { actor, params, body }) => rejectRequest(tx, actor, params.id, body.reason || null),
    answer: async ({ id }, { services, actor }) =>
      ok(bookingRequestView(await findBookingRequest(services.database, actor.organizationId, id))),
  })
}

const meetingError = z
  .string()
  .optional()
  .meta({ examples: ['Zoom refused to make the call'] })
