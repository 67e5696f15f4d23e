import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { confirmRequest } from '../../../shared/scheduling/offerings/confirm-request.ts'
import { findPublicOpenings } from '../../../shared/scheduling/offerings/find-public-openings.ts'
import {
  findPublicOffering,
  findPublicOfferings,
  findPublicSchool,
} from '../../../shared/scheduling/offerings/offering.queries.ts'
import { requestOffering } from '../../../shared/scheduling/offerings/request-offering.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { accepted, ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../../http/schemas.ts'
import { networkMark } from '../../http/special-limits.ts'
import { TokenBody } from '../../identity/accounts/accounts.schemas.ts'
import { OrgIdParams } from '../../identity/organizations/organizations.schemas.ts'
import { OpeningsWindow } from '../openings/openings.schemas.ts'
import { PublicOffering, PublicOpening, publicOfferingView, publicOpeningView } from './offering.view.ts'
import { GuestRequestBody, GuestRequestView } from './offerings.schemas.ts'

const tag = 'Public offerings'

/** The endpoints for guests without a token. They disclose neither the school's people nor other requests. */
export const publicOfferingRoutes: Routes = (on) => {
  on.get('/public/organizations/:orgId/offerings', {
    id: 'listPublicOfferings',
    access: 'anyone',
    tag,
    summary: 'What a school offers to the public',
    description: 'By name. Organizations that are not in the directory are 404.',
    params: OrgIdParams,
    answers: { 200: envelope(z.array(PublicOffering)) },
    read: async ({ db, params }) => {
      const school = await findPublicSchool(db, params.orgId)
      const offerings = await findPublicOfferings(db, school)
      return ok(offerings.map((row) => publicOfferingView(row, school)))
    },
  })

  on.get('/public/offerings/:id/openings', {
    id: 'listPublicOpenings',
    access: 'anyone',
    tag,
    summary: 'When an offering can be flown',
    description:
      'At most 200 slots, the earliest first, on the quarter hours, within a window of 31 days, none in the past: for ' +
      'each start the aircraft that are free when an instructor is.',
    params: IdParams,
    query: OpeningsWindow,
    answers: { 200: envelope(z.array(PublicOpening)) },
    errors: [
      identityErrors.unknownMember,
      schedulingErrors.unknownMember,
      schedulingErrors.unknownResourceId,
      schedulingErrors.unknownGuest,
    ],
    read: async ({ db, params, query, now }) => {
      const { offering, school } = await findPublicOffering(db, params.id)
      const window = { start: query.startDate, end: query.endDate }
      return ok((await findPublicOpenings(db, school, now, offering, window)).map(publicOpeningView))
    },
  })

  on.post('/public/offerings/:id/requests', {
    id: 'requestOffering',
    access: 'anyone',
    tag,
    summary: 'Ask for an offering',
    description:
      'Mails a link that confirms the request; it works once, for 24 hours. With `resource` the aircraft must be free ' +
      'and is kept for 30 minutes, one for each address and offering and two for each network until they are confirmed; beyond that the request goes on without a hold, ' +
      'and the mail says which. A booking by the desk ends a hold that is not confirmed, and the guest is mailed. Without it the desk chooses one. The answer is the same whatever the school knows of ' +
      'the address. What an address asks for beyond three undecided requests is dropped, and nothing is mailed. At most ' +
      'three requests a day of one address over all schools, ten an hour from one network, and 30 an hour and 100 a day at ' +
      'one school: 429 with `Retry-After`. Refused requests do not count.',
    params: IdParams,
    body: GuestRequestBody,
    answers: { 202: envelope(GuestRequestView) },
    errors: [
      identityErrors.unknownMember,
      schedulingErrors.offeringWithoutAircraft,
      schedulingErrors.startInPast,
      schedulingErrors.startTooFarAhead,
      schedulingErrors.aircraftNotOffered,
      schedulingErrors.timeNotOpen,
      schedulingErrors.unknownMember,
      schedulingErrors.unknownResourceId,
      schedulingErrors.unknownGuest,
    ],
    rateLimit: { mailTo: ({ body }) => body.email },
    write: (tx, { params, body: { resource, ...guest }, services, request }) => {
      const origin = { networkMark: networkMark(services, request), factor: services.config.RATE_LIMIT_FACTOR }
      return requestOffering(tx, services.mailTokens, params.id, { ...guest, resourceId: resource?.id ?? null }, origin)
    },
    answer: ({ id }) => accepted({ id, status: 'awaiting_confirmation' }),
  })

  on.post('/public/requests/confirm', {
    id: 'confirmOfferingRequest',
    access: 'anyone',
    tag,
    summary: 'Confirm a request with the mailed token',
    description:
      'The school decides on it from then on. A request whose hold has run out can still be confirmed, and one whose hold ' +
      'ended since the desk has booked the aircraft: `warnings` says so.',
    body: TokenBody,
    answers: { 200: envelope(GuestRequestView, warnings) },
    errors: [schedulingErrors.confirmationExpired, schedulingErrors.timePassed],
    write: (tx, { body, services }) => confirmRequest(tx, services.mailTokens, body.token),
    answer: ({ id, holdEnded }) =>
      ok({ id, status: 'pending' }, holdEnded ? { warnings: [schedulingErrors.holdEnded()] } : {}),
  })
}
