import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { decideFee, feeActions } from '../../../shared/billing/fees/decide-fee.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, note } from '../../http/schemas.ts'
import { viewReservation } from '../../scheduling/reservations/answer-reservation.ts'
import { ReservationFee } from '../../scheduling/reservations/fee.view.ts'

/** The endpoint of cancellation fees. Implements interface §Cancellation fees. */
export const feeRoutes: Routes = (on) => {
  on.post('/reservations/:id/fee', {
    id: 'decideReservationFee',
    access: 'member',
    tag: 'Invoices',
    rateLimit: { organization: 'fees' },
    summary: 'Waive, charge or object to a cancellation fee',
    description:
      'Desk staff waive the fee or charge it at once, unless it is their own money. The payer objects; then the desk ' +
      'decides. It is decided once; `creditNotes` gives a charged one back.',
    params: IdParams,
    body: z.object({ action: z.enum(feeActions), reason: note(500) }),
    answers: { 200: envelope(ReservationFee) },
    errors: [
      schedulingErrors.noSuchBooking,
      billingErrors.noSuchFee,
      billingErrors.feeDecided,
      billingErrors.feeForDesk,
      billingErrors.feeNotYours,
      billingErrors.feeOfOwnMoney,
      billingErrors.nothingToBill,
      billingErrors.payerWithoutAddress,
      billingErrors.balanceOutOfBounds,
      billingErrors.currencyChanged,
    ],
    write: (tx, { actor, params, body }) => decideFee(tx, actor, params.id, body),
    answer: async ({ id }, { services, actor }) => ok((await viewReservation(services, actor, id)).fee),
  })
}
