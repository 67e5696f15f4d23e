import { z } from 'zod'
import { billingErrors } from '../../shared/billing/billing.errors.ts'
import { invoiceFlight } from '../../shared/billing/invoices/invoice-flight.ts'
import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { admins } from '../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { putPayers } from '../../shared/workflows/put-payers.ts'
import { answerRaised, raisedErrors } from '../billing/invoices/answer-raised.ts'
import { Invoice } from '../billing/invoices/invoice.view.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../http/schemas.ts'
import { viewReservation } from '../scheduling/reservations/answer-reservation.ts'
import { Reservation } from '../scheduling/reservations/reservation.view.ts'
import { PayersBody } from './close-out.schemas.ts'

export const payersRoutes: Routes = (on) => {
  on.put('/reservations/:id/payers', {
    id: 'replacePayers',
    access: 'member',
    tag: 'Close-out',
    summary: 'Set how each payer pays for a flight',
    description:
      'For staff and those on the booking. One entry a person: own meter readings, a percentage, or a waiver; one kind ' +
      'for everyone, waivers aside. Whether it adds up is asked when invoicing. Those who pay may take more upon ' +
      'themselves, not put it on somebody else; desk staff who are not on the booking, and instructors who at most teach on it, divide it as ' +
      'they find right. Other shares than before clear the signatures, by the rules of `updateReviewTimes`.',
    params: IdParams,
    body: PayersBody,
    answers: { 200: envelope(Reservation) },
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.payersFixed,
      billingErrors.payersForStaff,
      billingErrors.shareNotYours,
      dispatchErrors.othersSigned,
      schedulingErrors.noSuchBooking,
    ],
    write: (tx, { actor, params, body }) => putPayers(tx, actor, params.id, body.payers),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/invoices', {
    id: 'invoiceReservation',
    access: admins,
    verified: true,
    tag: 'Invoices',
    summary: 'Invoice the flight: one invoice for each payer',
    description:
      'Waits up to 10 seconds for the processor: 201 with what was accepted and `warnings` for the rest; past that, 200 ' +
      'with the invoices `pending`. Asking again bills only payers without an invoice. While a card, packages or an ' +
      'account would pay for somebody who did not agree, nothing is invoiced: 200 with an empty list, and `warnings` ' +
      'name who was mailed and until when they may object. The flight is invoiced then by itself. A payer agrees by ' +
      'signing; the signature of an instructor who does not pay, or of the desk for a managed member, counts for all.',
    params: IdParams,
    answers: { 200: envelope(z.array(Invoice), warnings), 201: envelope(z.array(Invoice), warnings) },
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.notClosedOut,
      billingErrors.allInvoiced,
      billingErrors.balanceOutOfBounds,
      billingErrors.nothingToBill,
      billingErrors.nothingToBillBecause,
      billingErrors.payerToSign,
      ...raisedErrors,
      platformErrors.payerInvoiced,
      schedulingErrors.noSuchBooking,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params }) => invoiceFlight(tx, actor, params.id),
    answer: answerRaised,
  })
}
