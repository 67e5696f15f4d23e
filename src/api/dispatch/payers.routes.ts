import { billingErrors } from '../../shared/billing/billing.errors.ts'
import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { replacePayers } from '../../shared/workflows/replace-payers.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, IdParams } from '../http/schemas.ts'
import { viewFlight } from '../scheduling/reservations/answer-reservation.ts'
import { Reservation } from '../scheduling/reservations/reservation.view.ts'
import { PayersBody } from './close-out.schemas.ts'

export const payersRoutes: Routes = (on) => {
  on.put('/reservations/:id/payers', {
    id: 'replacePayers',
    access: 'member',
    tag: 'Close-out',
    summary: 'Set how each payer pays for a flight',
    description:
      'Replaces how the payers pay for a flight: each payer by their own meter readings, by a percentage, or not at ' +
      'all (`waived`). All payers who are not waived must use the same kind. Invoicing checks that the shares add ' +
      'up. Allowed for staff and the people on the booking. A caller may increase their own share, but not that of ' +
      'another payer. Exception: desk staff and instructors may set any shares, unless they are on the booking in a ' +
      'role other than instructor. A change deletes the signatures, under the rules of `updateReviewTimes`.',
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
    write: (tx, { actor, params, body }) => replacePayers(tx, actor, params.id, body.payers),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })
}
