import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOpenings } from '../../../shared/scheduling/openings/find-openings.ts'
import { bookingFieldErrors, overrideErrors, schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { previewBooking } from '../../../shared/workflows/preview-booking.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { CreateReservationBody, toCreate } from '../reservations/reservations.schemas.ts'
import { CheckView, OpeningsQuery, OpeningView, openingView } from './openings.schemas.ts'

const tag = 'Reservations'

/** The endpoints that find openings and check a booking without creating it. */
export const openingRoutes: Routes = (on) => {
  on.query('/reservations/check', {
    id: 'checkReservation',
    access: 'member',
    countsTwice: true,
    tag,
    summary: 'Ask whether a booking could be made',
    description:
      'The body of a create; nothing is written. `problems` is everything that booking it now would be refused for, ' +
      '`warnings` what the rules would only warn of; ' +
      'what the caller may not do themselves has the code `FORBIDDEN`. Of other people a caller who is not staff is told ' +
      '`NOT_ELIGIBLE` with `rule: eligibility`, and not why. Counts twice against the minute’s limit.',
    body: CreateReservationBody,
    answers: { 200: envelope(CheckView) },
    errors: [...bookingFieldErrors, schedulingErrors.priceForStaff, ...overrideErrors],
    read: async ({ db, actor, now, body }) => {
      const judgement = await previewBooking(db, actor, now, toCreate(body))
      return ok({ ok: judgement.problems.length === 0, ...judgement })
    },
  })

  on.get('/reservations/openings', {
    id: 'listOpenings',
    access: 'member',
    countsTwice: true,
    tag,
    summary: 'The slots where a booking would be accepted',
    description:
      'At most 200, the earliest first, on the quarter hours, within a window of 31 days: for each start the resources ' +
      'that are free. Everyone in `orgUserId` is on the booking, and so is a student or renter who asks; when the type ' +
      'needs an instructor and none is named, each slot names one who is free. Sides that nobody is named for are left ' +
      'to fill. Without `resourceId` a ground lesson needs no room. Where bookings need approval, these are the slots to ' +
      'request. `warnings` of a slot is what a booking of it would be warned of. Counts twice against the minute’s limit; ' +
      'two at once of an account.',
    rateLimit: { atOnce: 2 },
    query: OpeningsQuery,
    answers: { 200: envelope(z.array(OpeningView)) },
    errors: [
      schedulingErrors.lastsTooLong,
      schedulingErrors.noSeatFor,
      identityErrors.unknownMember,
      schedulingErrors.unknownMember,
      schedulingErrors.unknownResourceId,
      schedulingErrors.unknownGuest,
      schedulingErrors.typeNotAllowed,
      schedulingErrors.sideTooFull,
      schedulingErrors.sideTooEmpty,
    ],
    read: async ({ db, actor, now, query }) => {
      const openings = await findOpenings(db, actor, now, {
        type: query.type,
        start: query.startDate,
        end: query.endDate,
        durationMinutes: query.durationMinutes,
        resourceIds: [...new Set(query.resourceId ?? [])],
        orgUserIds: [...new Set(query.orgUserId ?? [])],
      })
      return ok(openings.map(openingView))
    },
  })
}
