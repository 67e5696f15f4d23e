import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { waitUntilIssued } from '../../../shared/billing/invoices/create-invoice.ts'
import { ensurePrepaid, recordPrepaidOffline } from '../../../shared/billing/invoices/settle-prepaid.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, warnings } from '../../http/schemas.ts'
import { viewFlight } from '../../scheduling/reservations/answer-reservation.ts'
import { Reservation } from '../../scheduling/reservations/reservation.view.ts'
import { raisedErrors } from './answer-raised.ts'
import { OfflineBody } from './invoices.schemas.ts'

const tag = 'Reservations'

/** The errors of charging the prepaid price of a booking. */
const packageErrors = [
  schedulingErrors.bookingCancelled,
  billingErrors.prepaidWithoutPayer,
  billingErrors.prepaidForOther,
  billingErrors.prepaidOnAccount,
  billingErrors.billedAfterFlight,
  billingErrors.balanceOutOfBounds,
  billingErrors.packageForStaff,
  schedulingErrors.noSuchBooking,
  billingErrors.currencyChanged,
] as const

export const prepaidRoutes: Routes = (on) => {
  on.post('/reservations/:id/prepaid/ensure', {
    id: 'ensurePrepaidPackage',
    access: 'member',
    tag,
    summary: 'Charge the price of a prepaid booking if it is not charged yet',
    description:
      'Creates the invoice, or the charge on the ledger, unless the booking has one; void, failed and reversed ' +
      'ones do not count. Sends a pending invoice to the payment processor again. Waits up to 10 seconds for the ' +
      'processor; after that, a warning says that the invoice is still pending. Allowed for desk staff, the ' +
      'booking’s instructor and the member who created the booking.',
    params: IdParams,
    answers: { 200: envelope(Reservation, warnings) },
    errors: [...packageErrors, ...raisedErrors, platformErrors.emailNotVerified, billingErrors.noPackagesInDemo],
    awaitsJobs: true,
    write: (tx, { actor, params }) => ensurePrepaid(tx, actor, params.id),
    answer: async ({ id, invoiceId }, call) => {
      const beside = await waitUntilIssued(call, invoiceId)
      return ok(await viewFlight(call.services, call.actor, id), beside)
    },
  })

  on.post('/reservations/:id/prepaid/record-offline', {
    id: 'recordOfflinePrepayment',
    access: 'member',
    tag,
    summary: 'Record that a prepaid booking was paid by cash or check',
    description:
      'Marks the unpaid invoice of the booking paid, also at the payment processor; creates a paid invoice if ' +
      'there is none. Allowed for desk staff, and for instructors who teach the booking or created it.',
    params: IdParams,
    body: OfflineBody,
    answers: { 200: envelope(Reservation) },
    errors: [
      ...packageErrors,
      billingErrors.offlineForStaff,
      billingErrors.packagePaid,
      billingErrors.noSuchInvoice,
      billingErrors.invoiceClosed,
    ],
    write: (tx, { actor, params, body }) => recordPrepaidOffline(tx, actor, params.id, body.method),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })
}
