import { z } from 'zod'
import { fleetErrors } from '../../../shared/fleet/fleet.errors.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOpenings, findOpeningsByDay } from '../../../shared/scheduling/openings/find-openings.ts'
import { findPoolMembers } from '../../../shared/scheduling/rules/pool.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { previewBooking } from '../../../shared/workflows/preview-booking.ts'
import { ok } from '../../http/answers.ts'
import { nextPage } from '../../http/cursors.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { envelope, membersOf } from '../../http/schemas.ts'
import { windowOf } from '../../http/windows.ts'
import { termsView } from '../reservations/fee.view.ts'
import { CreateReservationBody, toCreate } from '../reservations/reservations.schemas.ts'
import { soloOfQuery } from '../reservations/solo-flight.schemas.ts'
import { bookingFieldErrors, overrideErrors } from '../rules/booking-errors.ts'
import { CheckView, OpeningsQuery, OpeningView, openingsRule, openingView, startView } from './openings.schemas.ts'

const tag = 'Reservations'

/** The endpoints that find openings and check a booking without creating it. */
export const openingRoutes: Routes = (on) => {
  on.query('/reservations/check', {
    id: 'checkReservation',
    access: 'member',
    countsTwice: true,
    tag,
    summary: 'Check whether a booking can be made',
    description:
      'Checks the body of `POST /reservations` without writing anything. `problems` lists everything for which the ' +
      'booking would be refused now; `warnings` lists the findings of rules that only warn. A problem with the ' +
      'code `FORBIDDEN` is something that the caller may not do. For personal facts of other people, callers who ' +
      'are not staff get only `NOT_ELIGIBLE` with `rule: eligibility`, without the reason. Counts as two requests ' +
      'against the limit per minute.',
    body: CreateReservationBody,
    answers: { 200: envelope(CheckView) },
    errors: [...bookingFieldErrors, schedulingErrors.priceForStaff, ...overrideErrors],
    read: async ({ db, actor, now, body }) => {
      const { cancellationTerms, ...judgement } = await previewBooking(db, actor, now, toCreate(body))
      const terms = termsView(cancellationTerms)
      return ok({ ok: judgement.problems.length === 0, ...judgement, cancellationTerms: terms })
    },
  })

  on.get('/reservations/openings', {
    id: 'listOpenings',
    computed: true,
    access: 'member',
    countsTwice: true,
    tag,
    summary: 'List openings for a booking',
    description:
      'Lists the slots in which a booking would be accepted: at most 200, the earliest first, on quarter hours, ' +
      'within 31 days; one slot per start and free resource. A caller who is a student or renter is on the ' +
      'booking. When the type needs an instructor and none is named, each slot names a free one; other sides stay ' +
      'empty. When the caller’s bookings need approval, they are slots for a request. When the window was cut, ' +
      '`Link` (`rel="next"`) leads to the rest. Counts as two requests against the limit per minute. An account ' +
      'may run two searches at a time.',
    rateLimit: { atOnce: 2 },
    query: OpeningsQuery,
    answers: { 200: envelope(z.array(OpeningView)) },
    errors: [
      schedulingErrors.lastsTooLong,
      schedulingErrors.noSeatFor,
      identityErrors.unknownMember,
      schedulingErrors.unknownMember,
      schedulingErrors.unknownResourceId,
      fleetErrors.unknownPool,
      schedulingErrors.unknownGuest,
      schedulingErrors.typeNotAllowed,
      schedulingErrors.soloUnfit,
      schedulingErrors.sideTooFull,
      schedulingErrors.sideTooEmpty,
    ],
    read: async (call) => {
      const { db, actor, now, query } = call
      const { pool, startsPerDay, durationMinutes, earliestMinute, latestMinute } = query
      const window = windowOf(query, actor, openingsRule)
      const inPool =
        pool === undefined ? [] : await findPoolMembers(db, actor.organizationId, { pool, locationId: null }, 'pool')
      const question = {
        type: query.type[0]!,
        ...window,
        durationMinutes,
        earliestMinute,
        latestMinute,
        resourceIds: query.resourceId ?? inPool,
        orgUserIds: membersOf(query.orgUserId ?? [], actor),
        solo: soloOfQuery(query),
      }
      const ofPart = (next: Date | null): Record<string, string> =>
        next && next < window.end ? { link: nextPage(call, { startDate: iso(next) }) } : {}
      if (startsPerDay !== undefined) {
        const { openings, next } = await findOpeningsByDay(db, actor, now, { ...question, startsPerDay })
        return { ...ok(openings.map(startView)), headers: ofPart(next) }
      }
      const { openings, next } = await findOpenings(db, actor, now, question)
      return { ...ok(openings.map(openingView)), headers: ofPart(next) }
    },
  })
}
