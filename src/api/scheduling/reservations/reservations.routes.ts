import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { dispatchErrors } from '../../../shared/dispatch/dispatch.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { startDisplacing } from '../../../shared/scheduling/recoveries/start-displacing.ts'
import { recoveryErrors } from '../../../shared/scheduling/recovery.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { cancelReservation } from '../../../shared/workflows/cancel-reservation.ts'
import { cancelSeries } from '../../../shared/workflows/cancel-series.ts'
import { changeBooking } from '../../../shared/workflows/change-booking.ts'
import { createReservation } from '../../../shared/workflows/create-reservation.ts'
import { restoreReservation } from '../../../shared/workflows/restore-reservation.ts'
import { workflowsErrors } from '../../../shared/workflows/workflows.errors.ts'
import { done, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, IdParams, PathId } from '../../http/schemas.ts'
import { organizationLimits } from '../../http/special-limits.ts'
import { instantOf, windowOf } from '../../http/windows.ts'
import { Operation } from '../../platform/operations/operation.view.ts'
import {
  bookingFieldErrors,
  bookingRuleErrors,
  cancellationErrors,
  displacingErrors,
  lessonErrors,
  overrideErrors,
  ruleErrorsOfChange,
} from '../rules/booking-errors.ts'
import { beside, bookingWarnings, skippedBookings } from '../rules/problem.view.ts'
import { answerCreated, feeStandsWarning, payersChangedWarning, viewReservation } from './answer-reservation.ts'
import { CancelBody, CancelSeriesBody, RestoreBody } from './cancellation.schemas.ts'
import { listReservations } from './list-reservations.ts'
import { Reservation } from './reservation.view.ts'
import { ReservationListQuery, seatedOf } from './reservation-list.schemas.ts'
import { ChangeReservationBody, CreateReservationBody, toChanges, toCreate } from './reservations.schemas.ts'

const tag = 'Reservations'

/** The endpoints of bookings before the flight. Implements interface §Reservations. */
export const reservationRoutes: Routes = (on) => {
  on.get('/reservations', {
    id: 'listReservations',
    access: 'member',
    tag,
    summary: 'List bookings',
    description:
      'Lists the bookings that overlap the window, including a flight that is still out; `endedBefore` leaves such a ' +
      'flight out. `q` searches the title, the names of people and the aircraft, and the notes that the caller may ' +
      'read. A filter takes several values, separated by commas, and matches any of them; when several filters are ' +
      'given, all must match.',
    query: ReservationListQuery,
    answers: { 200: envelope(z.array(Reservation)) },
    read: async ({ query, actor, services, now }) => {
      const { resourceId: resourceIds, locationId: locationIds } = query
      const { status: statuses, type: types, includeCanceled: includeCancelled } = query
      const endedBefore = instantOf(query.endedBefore, actor)
      const window = { ...windowOf(query, actor), endedBefore }
      const filter = { ...query, ...window, resourceIds, locationIds, includeCancelled, statuses, types }
      return page(await listReservations(services, actor, now, { ...filter, seated: seatedOf(query, actor) }, query))
    },
  })

  on.post('/reservations', {
    id: 'createReservation',
    access: 'member',
    tag,
    summary: 'Create a booking',
    description:
      'Creates a booking and returns it, or all bookings of a recurring series as an array. When it is refused, ' +
      'the error lists every person and resource that prevents the booking: `code` is the code of the first ' +
      'problem, and `details.problems` lists them all. A booking lasts at most 60 days, a maintenance booking 366. ' +
      '`warnings` lists the findings of rules that only warn, and why a prepaid price is not charged. A series ' +
      'makes all its bookings or none, unless `recurrence.onConflict` is `skip`. With `displace` the answer is 202 ' +
      'with the operation of a recovery.',
    body: CreateReservationBody,
    answers: {
      201: envelope(z.union([Reservation, z.array(Reservation)]), { ...bookingWarnings, ...skippedBookings }),
      202: envelope(Operation),
    },
    errors: [
      ...bookingFieldErrors,
      schedulingErrors.seriesRefused,
      ...lessonErrors,
      billingErrors.prepaidWithoutPayer,
      billingErrors.prepaidForOther,
      billingErrors.prepaidOnAccount,
      billingErrors.balanceOutOfBounds,
      ...bookingRuleErrors,
      ...overrideErrors,
      [platformErrors.emailNotVerified, 'when the booking is prepaid'],
      schedulingErrors.priceForStaff,
      billingErrors.currencyChanged,
      ...displacingErrors,
    ],
    awaitsJobs: true,
    prepare: async (call) => {
      if (call.body.displace) await call.count(await organizationLimits(call, 'recoveries'))
    },
    write: async (tx, { actor, body }) =>
      body.displace ? startDisplacing(tx, actor, toCreate(body)) : createReservation(tx, actor, toCreate(body), body),
    answer: (made, call) => answerCreated(made, Boolean(call.body.recurrence), call),
  })

  on.get('/reservations/:id', {
    id: 'readReservation',
    access: 'member',
    tag,
    summary: 'Read a booking',
    description: 'Returns one booking with its people and close-out figures. Only staff see other payers’ amounts.',
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
    summary: 'Move, reassign or edit a booking',
    description:
      'Changes a booking. Allowed for the people on it, its creator, and staff. `resource`, `location` and ' +
      '`personnel` can be changed only by desk staff, the instructor of the booking, and its creator if the ' +
      'creator is on the booking. After the ramp-out only the title, the notes, the planned lessons and ' +
      '`expectedBackAt` can change. After a change of time, place, people, passengers or `ifr`, every rule of ' +
      'booking is checked again, for the caller. The id, the series, the calendar entry and a prepaid invoice ' +
      'stay. A change of one booking does not change the rest of its series.',
    params: IdParams,
    body: ChangeReservationBody,
    answers: { 200: envelope(Reservation, bookingWarnings) },
    errors: [
      ...bookingFieldErrors,
      schedulingErrors.bookingCancelled,
      ...lessonErrors,
      ...ruleErrorsOfChange,
      ...overrideErrors,
      schedulingErrors.notOnBooking,
      schedulingErrors.mayNotReassign,
      billingErrors.prepaidForOther,
      billingErrors.shareNotYours,
      billingErrors.payerStays,
      schedulingErrors.notRampedOut,
      schedulingErrors.isBack,
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
      'Cancels a booking before its ramp-out. It can still be read, with `cancelledAt`. Allowed for the people on ' +
      'it, its creator, and staff. The charge of a prepaid booking is undone: an unpaid invoice is voided, a ' +
      'payment through the payment processor is refunded (above `settings.refundApprovalCents` only with an ' +
      'admin’s approval), and a charge on the ledger is reversed. Desk staff give back cash and checks. The people ' +
      'on the booking are notified, unless desk staff send `notify: false`. Whoever was agreed for by the desk may ' +
      'cancel for 24 hours, until 2 hours before the start, whatever the notice. After ' +
      '`cancellationTerms.freeUntil` the payer’s cancellation costs a `fee`.',
    params: IdParams,
    body: CancelBody,
    answers: { 204: null },
    errors: [
      ...cancellationErrors,
      schedulingErrors.tooLateToCancel,
      schedulingErrors.nothingToUndo,
      recoveryErrors.causeOver,
      schedulingErrors.cancelledAlready,
      schedulingErrors.silenceForDesk,
      schedulingErrors.noSuchBooking,
      schedulingErrors.leftTheRamp,
    ],
    write: (tx, { actor, params, body }) => cancelReservation(tx, actor, params.id, body),
    answer: () => done(),
  })

  on.post('/reservations/:id/restore', {
    id: 'restoreReservation',
    access: 'member',
    tag,
    edits: 'reservation',
    rateLimit: { organization: 'restores' },
    summary: 'Restore a cancelled booking',
    description:
      'Makes a booking live again within 7 days of its cancellation and before its start; desk staff restore a no-show ' +
      'until its booked end. Allowed for desk staff, and for its creator when the creator cancelled it; at most twice. ' +
      'It is checked like a new booking of the caller. Id, place in the series and calendar entry stay, a video call ' +
      'is made anew, and earlier overrides no longer count. A prepaid booking whose price was given back stays cancelled. ' +
      'A fee that is not charged is dropped.',
    params: IdParams,
    body: RestoreBody,
    answers: { 200: envelope(Reservation, bookingWarnings) },
    errors: [
      ...bookingFieldErrors,
      ...ruleErrorsOfChange,
      ...overrideErrors,
      schedulingErrors.notOnBooking,
      schedulingErrors.mayNotRestore,
      schedulingErrors.priceForStaff,
      schedulingErrors.restoreTooLate,
      schedulingErrors.restoreStarted,
      schedulingErrors.noSuchBooking,
      schedulingErrors.notCancelled,
      schedulingErrors.restoredTwice,
      schedulingErrors.prepaidGivenBack,
    ],
    write: (tx, { actor, params, body }) => restoreReservation(tx, actor, params.id, body.overrides),
    answer: async ({ id, warnings, feeStands }, { services, actor }) =>
      ok(await viewReservation(services, actor, id), beside([...warnings, ...(feeStands ? [feeStandsWarning] : [])])),
  })

  on.delete('/reservations/series/:seriesId', {
    id: 'cancelReservationSeries',
    access: 'member',
    tag,
    summary: 'Cancel the rest of a series',
    description:
      'Cancels the bookings of a series from `from` on: all of them or none. Allowed for members who may cancel ' +
      'each of these bookings. Bookings that are already cancelled or ramped out stay as they are.',
    params: z.object({ seriesId: PathId }),
    body: CancelSeriesBody,
    answers: { 204: null },
    errors: [
      ...cancellationErrors,
      schedulingErrors.tooLateToCancelOn,
      workflowsErrors.nothingLeftOfSeries,
      workflowsErrors.noSuchSeries,
    ],
    write: (tx, { actor, params: { seriesId }, body: { from = null, ...why } }) =>
      cancelSeries(tx, actor, seriesId, { ...why, from }),
    answer: () => done(),
  })
}
