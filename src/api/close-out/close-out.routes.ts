import { z } from 'zod'
import { admins } from '../../shared/authz/roles.ts'
import { confirmReview } from '../../shared/close-out/confirm-review.ts'
import { rampIn } from '../../shared/close-out/ramp-in.ts'
import { rampOut } from '../../shared/close-out/ramp-out.ts'
import { invoiceFlight } from '../../shared/invoices/invoice-flight.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../http/schemas.ts'
import { answerRaised } from '../invoices/answer-raised.ts'
import { Invoice } from '../invoices/invoice.view.ts'
import { viewReservation } from '../reservations/answer-reservation.ts'
import { Reservation } from '../reservations/reservation.view.ts'
import { ConfirmReviewBody, RampInBody, RampOutBody } from './close-out.schemas.ts'

const tag = 'Close-out'
const answers = { 200: envelope(Reservation) }
const noBooking = 'No such booking'

export const closeOutRoutes: Routes = (on) => {
  on.post('/reservations/:id/rampOut', {
    who: 'member',
    tag,
    summary: 'Ramp out: the aircraft leaves, with these readings',
    params: IdParams,
    body: RampOutBody,
    answers,
    errors: { 400: 'Already ramped out, cancelled, no aircraft, or the caller is not on the booking', 404: noBooking },
    write: (tx, { actor, params, body }) =>
      rampOut(tx, actor, params.id, { ...body, tachTimeOut: body.tachTimeOut ?? null }),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/rampIn', {
    who: 'member',
    tag,
    summary: 'Ramp in: the aircraft is back, with these readings',
    description: "The aircraft's own meters move forward to them.",
    params: IdParams,
    body: RampInBody,
    answers,
    errors: {
      400: 'Not ramped out, a reading runs backwards, or the caller is not on the booking',
      404: noBooking,
      409: '`METER_ANOMALY`: a reading looks like a typo; send the same again with `confirmMeterAnomaly`',
    },
    write: (tx, { actor, params, body }) =>
      rampIn(tx, actor, params.id, { ...body, tachTimeIn: body.tachTimeIn ?? null, briefing: body.briefing ?? null }),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/confirmReview', {
    who: 'member',
    tag,
    summary: 'Sign the figures of the flight for your side',
    description:
      'Dual, ground, and sim or rental with an instructor need the instructor and the other side; others one.',
    params: IdParams,
    body: ConfirmReviewBody,
    answers,
    errors: { 400: 'Nothing to confirm yet', 403: 'Not on the booking', 404: noBooking },
    write: (tx, { actor, params, body }) => confirmReview(tx, actor, params.id, { briefing: body?.briefing ?? null }),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/invoices', {
    who: admins,
    verified: true,
    tag: 'Invoices',
    summary: 'Invoice the flight: one invoice for each payer',
    description:
      'Waits up to 10 seconds for the processor: 201 with what was accepted and `warnings` for the rest; past that, 200 ' +
      'with the invoices `pending`. Asking again bills only payers without an invoice.',
    params: IdParams,
    answers: { 200: envelope(z.array(Invoice), warnings), 201: envelope(z.array(Invoice), warnings) },
    errors: {
      400: 'Not closed out, every payer already invoiced, the split cannot be applied, or nothing could be billed',
      404: noBooking,
    },
    waits: true,
    write: (tx, { actor, params }) => invoiceFlight(tx, actor, params.id),
    answer: answerRaised,
  })
}
