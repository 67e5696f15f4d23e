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
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { approveRequest } from '../../../shared/workflows/approve-request.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { bookingFieldErrors, overrideErrors, ruleErrorsOfChange } from '../rules/booking-errors.ts'
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
    summary: 'List the booking requests for desk staff',
    description:
      'Lists requests by start: (1) pending requests; (2) requests that were approved in the last 30 days and ' +
      'whose guests are not invited yet; (3) requests that hold an aircraft for a guest who has not opened the ' +
      'mailed link. Requests of group 3 are listed without the guest’s name, email and phone.',
    query: ListQuery,
    answers: { 200: envelope(z.array(BookingRequest)) },
    read: async ({ services, actor, query, now }) =>
      page(await listPage(listForDesk(services.database, actor.organizationId, now), query, bookingRequestView)),
  })

  on.post('/booking-requests', {
    id: 'createBookingRequest',
    access: 'member',
    tag,
    summary: 'Request a booking',
    description:
      'Creates a request to desk staff. Allowed for members whose bookings of the type need approval (`GET ' +
      '/booking-requests/policy/me`). A request does not reserve its slot. It is refused only when it could never ' +
      'be approved; all rules of booking are checked on approval. The caller must be on the request. When no ' +
      'instructor is named, desk staff choose one. `meeting` is created on approval, with the connected account of ' +
      'the instructor, or else of the caller.',
    body: RequestBody,
    answers: { 201: envelope(BookingRequest) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.unknownLocation,
      fleetErrors.unknownResource,
      fleetErrors.unknownPool,
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
    summary: 'List the caller’s booking requests',
    description: 'Lists the caller’s requests in every status, the latest start first.',
    query: ListQuery,
    answers: { 200: envelope(z.array(BookingRequest)) },
    read: async ({ services, actor, query }) =>
      page(await listPage(listRequestsOf(services.database, actor), query, bookingRequestView)),
  })

  on.get('/booking-requests/policy/me', {
    id: 'readOwnBookingPolicy',
    access: 'member',
    tag,
    summary: 'Read whether the caller’s bookings need approval',
    description:
      'Returns the caller’s roles whose bookings need approval, and the types of booking that the caller has to ' +
      'request.',
    answers: { 200: envelope(BookingPolicy) },
    read: async ({ actor }) =>
      ok(policyView(approvalPolicy(actor.roles, actor.organization.settings.approvalRequired))),
  })

  on.get('/booking-requests/:id', {
    id: 'readBookingRequest',
    access: 'member',
    tag,
    summary: 'Read a booking request',
    description: 'Returns one request. Allowed for desk staff and the member who made it; 404 for others.',
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
      'Approves the request and creates the booking as the caller, in one transaction; all booking rules are ' +
      'checked now. When the approval is refused, the error lists every person and resource that prevents the ' +
      'booking, and the request stays pending. When a guest’s request names no aircraft or no instructor, one of ' +
      'the offering is chosen. The answer waits up to 10 seconds for a requested video call and for the charge of ' +
      'a prepaid price; the request stays approved when one of these fails. `warnings` lists the warnings of the ' +
      'rules and what is still in progress. The requester is notified; a guest gets a mail.',
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
      ...ruleErrorsOfChange,
      ...overrideErrors,
      [platformErrors.emailNotVerified, 'when the booking is prepaid'],
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
      'Cancels a pending request. Allowed for the member who made it, and desk staff. When desk staff cancel it, the ' +
      'requester gets the same notification as for a declined request; a guest gets a mail.',
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
    description: 'Declines a pending request. The requester is notified of the reason; a guest gets a mail.',
    params: IdParams,
    body: RejectBody,
    answers,
    errors: [schedulingErrors.noSuchRequest, identityErrors.requestDecided, schedulingErrors.requestUnconfirmed],
    write: (tx, { actor, params, body }) => rejectRequest(tx, actor, params.id, body.reason || null),
    answer: async ({ id }, { services, actor }) =>
      ok(bookingRequestView(await findBookingRequest(services.database, actor.organizationId, id))),
  })
}

const meetingError = z.string().optional()
