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
      'Replaces the stakes of a flight. A stake says how one payer pays: own meter readings, a percentage, or a ' +
      'waiver; all stakes that are not waivers are of the same kind. Invoicing checks that they add up. For staff ' +
      'and the people on the booking. A payer may pay more themselves, but may not make another payer pay more; ' +
      'desk staff who are not on the booking, and instructors who are not on it except to teach, may set any ' +
      'stakes. Stakes that differ from the stored ones delete the signatures, under the rules of ' +
      '`updateReviewTimes`.',
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
    summary: 'Invoice a flight',
    description:
      'Creates one invoice for each payer of a flight. Waits up to 10 seconds for the payment processor: returns ' +
      '201 with the accepted invoices, and `warnings` for the others; after 10 seconds 200 with the invoices as ' +
      '`pending`. A repeated call bills only payers who have no invoice. While a card, packages or an account ' +
      'would pay for somebody who has not agreed, nothing is invoiced: the answer is 200 with an empty list, and ' +
      '`warnings` name who was mailed and until when they may object. After that the flight is invoiced ' +
      'automatically. A payer agrees by signing; the signature of an instructor who does not pay, or of desk staff ' +
      'for a managed member, counts for all payers.',
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
