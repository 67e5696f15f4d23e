import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import { findBookingRequest } from '../../../shared/scheduling/booking-requests/booking-request.queries.ts'
import { findEmailOfGuest } from '../../../shared/scheduling/booking-requests/booking-request-details.queries.ts'
import { convertGuest } from '../../../shared/scheduling/booking-requests/convert-guest.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import { BookingRequest, bookingRequestView } from './booking-request.view.ts'

/** The endpoint that invites the guest of a request. Implements interface §Booking requests (convert). */
export const convertRoutes: Routes = (on) => {
  on.post('/booking-requests/:id/convert', {
    id: 'inviteGuestOfRequest',
    access: deskStaff,
    verified: true,
    tag: 'Booking requests',
    summary: 'Invite the guest of a booking request',
    description:
      'Mails the guest of an approved request an invitation to join as a student or renter, valid for 14 days. It ' +
      'can be sent again after it has expired. Counts against the limits of invitations (429 with `Retry-After`).',
    params: IdParams,
    body: z.object({ role: z.enum(['student', 'renter']) }),
    answers: { 200: envelope(BookingRequest) },
    errors: [
      schedulingErrors.requestOfMember,
      identityErrors.ownersForOwners,
      schedulingErrors.noInvitationsInDemo,
      schedulingErrors.noSuchRequest,
      schedulingErrors.requestNotApproved,
      schedulingErrors.guestInvited,
    ],
    rateLimit: { invite: ({ db, actor, params }) => findEmailOfGuest(db, actor.organizationId, params.id) },
    write: (tx, { actor, params, body, services }) =>
      convertGuest(tx, services.mailTokens, actor, params.id, body.role),
    answer: async ({ id }, { db, actor }) =>
      ok(bookingRequestView(await findBookingRequest(db, actor.organizationId, id))),
  })
}
