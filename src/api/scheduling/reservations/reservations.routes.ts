import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { dispatchErrors } from '../../../shared/dispatch/dispatch.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import {
  bookingFieldErrors,
  bookingRuleErrors,
  overrideErrors,
  schedulingErrors,
} from '../../../shared/scheduling/scheduling.errors.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { cancelReservation } from '../../../shared/workflows/cancel-reservation.ts'
import { cancelSeries } from '../../../shared/workflows/cancel-series.ts'
import { changeBooking } from '../../../shared/workflows/change-booking.ts'
import { createReservation } from '../../../shared/workflows/create-reservation.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, PathId } from '../../http/schemas.ts'
import { beside, bookingWarnings } from '../rules/problem.view.ts'
import { answerBooked, payersChangedWarning, viewReservation } from './answer-reservation.ts'
import { listReservations } from './list-reservations.ts'
import { Reservation } from './reservation.view.ts'
import { ReservationListQuery, seatedOf } from './reservation-list.schemas.ts'
import {
  CancelBody,
  CancelSeriesBody,
  ChangeReservationBody,
  CreateReservationBody,
  toChanges,
  toCreate,
} from './reservations.schemas.ts'

const tag = 'Reservations'

/** The errors of planned lessons. */
const lessonErrors = [
  trainingErrors.lessonOfNobody,
  trainingErrors.lessonPlannedTwice,
  trainingErrors.lessonOfNoEnrollment,
] as const

/** The endpoints of bookings before the flight. Implements interface §Reservations. */
export const reservationRoutes: Routes = (on) => {
  on.get('/reservations', {
    id: 'listReservations',
    access: 'member',
    tag,
    summary: 'Bookings that overlap a window',
    description:
      'A booking shows in every window that it overlaps: `endedBefore` is what leaves out a flight that is still on. ' +
      '`q` looks in the title, the names of people and the aircraft, and in the notes that the caller may read. ' +
      'Filters take several values, separated by commas, any of which fits; of several filters each has to fit.',
    query: ReservationListQuery,
    answers: { 200: envelope(z.array(Reservation)) },
    read: async ({ query, actor, services, now }) => {
      const { startDate: start, endDate: end, resourceId: resourceIds, locationId: locationIds } = query
      const { status: statuses, type: types, includeCanceled: includeCancelled } = query
      const filter = { ...query, start, end, resourceIds, locationIds, includeCancelled, statuses, types }
      return page(await listReservations(services, actor, now, { ...filter, seated: seatedOf(query, actor) }, query))
    },
  })

  on.post('/reservations', {
    id: 'createReservation',
    access: 'member',
    tag,
    summary: 'Book',
    description:
      'Answers the booking, or the array of a recurring series. A refusal names everyone and everything that stands in ' +
      'the way: `code` is the first problem’s, `details.problems` holds them all. Roles may create: owner, admin and ' +
      'dispatcher every type; instructors solo, dual, ground, guest, sim; students solo, dual, ground, sim; renters ' +
      'rental and shared; technicians maintenance. A booking lasts at most 60 days, maintenance 366. A prepaid ' +
      'booking’s package is charged to the first person who pays; the answer waits up to 10 seconds for the processor, ' +
      '`warnings` says what rules that only warn found, and what became of a charge that does not stand.',
    body: CreateReservationBody,
    answers: { 201: envelope(z.union([Reservation, z.array(Reservation)]), bookingWarnings) },
    errors: [
      ...bookingFieldErrors,
      schedulingErrors.seriesRefused,
      ...lessonErrors,
      billingErrors.prepaidWithoutPayer,
      billingErrors.prepaidForOther,
      billingErrors.balanceOutOfBounds,
      ...bookingRuleErrors,
      ...overrideErrors,
      [platformErrors.emailNotVerified, 'when the package is paid in advance'],
      schedulingErrors.priceForStaff,
      billingErrors.currencyChanged,
    ],
    awaitsJobs: true,
    write: (tx, { actor, body }) => createReservation(tx, actor, toCreate(body), body),
    answer: (made, call) => answerBooked({ ...made, series: Boolean(call.body.recurrence) }, call),
  })

  on.get('/reservations/:id', {
    id: 'readReservation',
    access: 'member',
    tag,
    summary: 'One booking',
    description: 'With personnel and close-out figures. Who is not staff sees only their own share of the money.',
    params: IdParams,
    answers: { 200: envelope(Reservation) },
    errors: [schedulingErrors.noSuchBooking],
    read: async ({ services, actor, params }) => ok(await viewReservation(services, actor, params.id)),
  })

  on.patch('/reservations/:id', {
    id: 'updateReservation',
    access: 'member',
    tag,
    edits: 'reservation',
    summary: 'Move, reassign or rewrite a booking',
    description:
      'For those on the booking, who made it, and staff; `resource`, `location` and `personnel` for desk staff, the ' +
      'booking’s instructor, and its creator while on it, before the ramp-out. Another time or place and other people ask ' +
      'every rule of booking again, for the caller. The id, the series, the calendar entry and a prepaid invoice stay; a ' +
      'booking of a series changes alone. Sides of `personnel` that are left out stay; `[]` empties one. Another resource ' +
      'brings its location. `warnings` says `payers_changed` when somebody who pays a share has left. Where shares are divided, ' +
      'who pays is taken off by themself or by the desk; whoever another payer adds pays an even part at most.',
    params: IdParams,
    body: ChangeReservationBody,
    answers: { 200: envelope(Reservation, bookingWarnings) },
    errors: [
      ...bookingFieldErrors,
      schedulingErrors.bookingCancelled,
      ...lessonErrors,
      ...bookingRuleErrors,
      ...overrideErrors,
      schedulingErrors.notOnBooking,
      schedulingErrors.mayNotReassign,
      billingErrors.shareNotYours,
      billingErrors.payerStays,
      schedulingErrors.notRampedOut,
      schedulingErrors.rampedInAlready,
      dispatchErrors.backInPast,
      dispatchErrors.backTooLate,
      schedulingErrors.prepaidStands,
      schedulingErrors.noSuchBooking,
      schedulingErrors.leftTheRamp,
    ],
    write: (tx, { actor, params, body }) => changeBooking(tx, actor, params.id, toChanges(body)),
    answer: async ({ id, warnings, payersChanged }, { services, actor }) =>
      ok(
        await viewReservation(services, actor, id),
        beside([...warnings, ...(payersChanged ? [payersChangedWarning] : [])]),
      ),
  })

  on.delete('/reservations/:id', {
    id: 'cancelReservation',
    access: 'member',
    tag,
    edits: 'reservation',
    summary: 'Cancel a booking',
    description:
      'For those on the booking, who made it, and staff. It stays readable with `cancelledAt`. A prepaid package is ' +
      'void; what was paid by card is given back, a ledger debit reversed; cash and checks the desk gives back. Desk ' +
      'staff may cancel without telling the people on it: `notify: false`.',
    params: IdParams,
    body: CancelBody,
    answers: { 204: null },
    errors: [
      schedulingErrors.categoryUnknown,
      schedulingErrors.tooLateToCancel,
      schedulingErrors.cancelledAlready,
      billingErrors.balanceOutOfBounds,
      schedulingErrors.notOnBooking,
      schedulingErrors.silenceForDesk,
      schedulingErrors.noSuchBooking,
      schedulingErrors.leftTheRamp,
    ],
    write: (tx, { actor, params, body }) => cancelReservation(tx, actor, params.id, body),
    answer: () => done(),
  })

  on.delete('/reservations/series/:seriesId', {
    id: 'cancelReservationSeries',
    access: 'member',
    tag,
    summary: 'Cancel the rest of a series',
    description:
      'All or nothing, for whoever may cancel the bookings. Those that are cancelled already or have left the ramp stay ' +
      'as they are.',
    params: z.object({ seriesId: PathId }),
    body: CancelSeriesBody,
    answers: { 204: null },
    errors: [
      schedulingErrors.categoryUnknown,
      schedulingErrors.tooLateToCancelOn,
      billingErrors.balanceOutOfBounds,
      workflowsErrors.nothingLeftOfSeries,
      schedulingErrors.notOnBooking,
      workflowsErrors.noSuchSeries,
    ],
    write: (tx, { actor, params, body }) =>
      cancelSeries(tx, actor, params.seriesId, { ...body, from: body.from ?? null }),
    answer: () => done(),
  })
}
