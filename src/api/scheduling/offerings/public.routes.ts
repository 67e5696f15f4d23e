import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { confirmRequest } from '../../../shared/scheduling/offerings/confirm-request.ts'
import { findPublicOpenings } from '../../../shared/scheduling/offerings/find-public-openings.ts'
import {
  findPublicOffering,
  findPublicSchool,
  listPublicOfferings,
} from '../../../shared/scheduling/offerings/offering.queries.ts'
import { requestOffering } from '../../../shared/scheduling/offerings/request-offering.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { accepted, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams, warnings } from '../../http/schemas.ts'
import { networkMark } from '../../http/special-limits.ts'
import { windowOf } from '../../http/windows.ts'
import { TokenBody } from '../../identity/accounts/accounts.schemas.ts'
import { OrgIdParams } from '../../identity/organizations/organizations.schemas.ts'
import { OpeningsWindow, openingsRule } from '../openings/openings.schemas.ts'
import { PublicOffering, PublicOpening, publicOfferingView, publicOpeningView } from './offering.view.ts'
import { GuestRequestBody, GuestRequestView } from './offerings.schemas.ts'

const tag = 'Public offerings'

/** The endpoints for guests without a token. They disclose neither the people of the school nor other requests. */
export const publicOfferingRoutes: Routes = (on) => {
  on.get('/public/organizations/:orgId/offerings', {
    id: 'listPublicOfferings',
    access: 'anyone',
    tag,
    summary: 'List the offerings of a school for the public',
    description:
      'Lists the active offerings of an organization, by name; 404 when the organization is not in the directory.',
    params: OrgIdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(PublicOffering)) },
    read: async ({ db, params, query }) => {
      const school = await findPublicSchool(db, params.orgId)
      const offerings = listPublicOfferings(db, school)
      return page(await listPage(offerings, query, (row) => publicOfferingView(row, school)))
    },
  })

  on.get('/public/offerings/:id/openings', {
    id: 'listPublicOpenings',
    computed: true,
    access: 'anyone',
    tag,
    summary:
      'Lists the slots in which an offering can be flown: at most 200, the earliest first, on quarter hours, none ' +
      'in the past, in a window of at most 31 days. Each start has one slot per aircraft that is free together ' +
      'with an instructor of the offering. A network may run at most four searches at the same time.',
    description:
      'Lists the slots in which an offering can be flown: at most 200, the earliest first, on quarter hours, none ' +
      'in the past, in a window of at most 31 days. For each start there is one slot per aircraft that is free ' +
      'while one of its instructors is free. The slots are within `earliestMinute`, `latestMinute` and `daylight` of the ' +
      'offering. A network may run four searches at the same time.',
    rateLimit: { atOnce: 4 },
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
      const window = windowOf(query, school, openingsRule)
      return ok((await findPublicOpenings(db, school, now, offering, window)).map(publicOpeningView))
    },
  })

  on.post('/public/offerings/:id/requests', {
    id: 'requestOffering',
    access: 'anyone',
    tag,
    summary: 'Request an offering',
    description:
      'Creates a request for an offering and mails the guest a link to confirm it. The link works once, for 24 ' +
      'hours. The start must be within the hours of the offering. The answer never shows whether the school knows ' +
      'the email address: when the school has three undecided requests of an address, a further one gets the same ' +
      'answer, but is dropped without a mail.\n\nLimits (429 with `Retry-After`):\n\n- three requests per day from ' +
      'one email address to all schools\n- ten per hour from one IP network\n- 30 per hour and 100 per day to one ' +
      'school\n\nRefused requests do not count.',
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
      schedulingErrors.notOfferedThen,
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
    summary: 'Confirm a request for an offering',
    description:
      'Confirms a request with the token of the mailed link. The school can decide on the request from then on. A ' +
      'request can also be confirmed after its hold has ended. When the hold ended because desk staff booked the ' +
      'aircraft, `warnings` says so.',
    body: TokenBody,
    answers: { 200: envelope(GuestRequestView, warnings) },
    errors: [schedulingErrors.confirmationExpired, schedulingErrors.timePassed],
    write: (tx, { body, services }) => confirmRequest(tx, services.mailTokens, body.token),
    answer: ({ id, holdEnded }) =>
      ok({ id, status: 'pending' }, holdEnded ? { warnings: [schedulingErrors.holdEnded()] } : {}),
  })
}
