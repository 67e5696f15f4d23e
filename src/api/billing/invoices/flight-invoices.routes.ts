import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { invoiceFlight } from '../../../shared/billing/invoices/invoice-flight.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../../http/schemas.ts'
import { answerRaised, raisedErrors } from './answer-raised.ts'
import { Invoice } from './invoice.view.ts'

export const flightInvoiceRoutes: Routes = (on) => {
  on.post('/reservations/:id/invoices', {
    id: 'invoiceReservation',
    access: admins,
    grant: 'cashier',
    verified: true,
    tag: 'Invoices',
    summary: 'Invoice a flight',
    description:
      'Creates one invoice for each payer of a flight. Waits up to 10 seconds for the payment processor: returns ' +
      '201 with the accepted invoices, and `warnings` for the others; after 10 seconds 200 with the invoices as ' +
      '`pending`. A repeated call bills only payers who have no invoice. While a card, packages or an account ' +
      'would be charged for somebody who has not agreed by signing, nothing is invoiced: the answer is 200 with an ' +
      'empty list, and `warnings` say who was mailed and until when they may object; the flight is invoiced after ' +
      'that. A cashier cannot invoice their own flights.',
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
      billingErrors.ownMoney,
    ],
    awaitsJobs: true,
    write: (tx, { actor, params }) => invoiceFlight(tx, actor, params.id),
    answer: answerRaised,
  })
}
