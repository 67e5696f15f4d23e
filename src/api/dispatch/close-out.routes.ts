import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import type { FollowedMeters } from '../../shared/dispatch/follow-with-meters.ts'
import { rampIn } from '../../shared/dispatch/ramp-in.ts'
import { rampOut } from '../../shared/dispatch/ramp-out.ts'
import { reopen } from '../../shared/dispatch/reopen.ts'
import { readingToNumber } from '../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { bringBack } from '../../shared/workflows/bring-back.ts'
import { correctTimes } from '../../shared/workflows/correct-times.ts'
import { signFlight } from '../../shared/workflows/sign-flight.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, IdParams } from '../http/schemas.ts'
import { viewFlight, viewReservation } from '../scheduling/reservations/answer-reservation.ts'
import { Reservation } from '../scheduling/reservations/reservation.view.ts'
import { beside, bookingWarnings } from '../scheduling/rules/problem.view.ts'
import {
  ConfirmReviewBody,
  correctionOutcome,
  RampInBody,
  RampOutBody,
  ReopenBody,
  ReviewTimesBody,
} from './close-out.schemas.ts'
import { recordedRampOut } from './recorded-ramp-out.ts'
import { updateWeatherOfBooking } from './release.routes.ts'
import { warningsOfChecks } from './release.view.ts'

const tag = 'Close-out'
const answers = { 200: envelope(Reservation) }

export const closeOutRoutes: Routes = (on) => {
  on.post('/reservations/:id/rampOut', {
    id: 'rampOut',
    access: 'member',
    tag,
    summary: 'Ramp out',
    description:
      'Records the readings at which an aircraft or simulator leaves. Allowed for the people on the booking and, ' +
      'when `settings.deskRamps` is set, for desk staff. The checks of `GET /reservations/{id}/release` run first. ' +
      'When `settings.dispatchChecks` is `warn`, checks that are not met are returned in `warnings`. When it is ' +
      '`block`, the ramp-out is refused when a check blocks and is not overridden, or when an open squawk is not ' +
      'in `acknowledgedSquawkIds`. When it is `off`, nothing is checked. It brings ' +
      'back a booking that the service cancelled as a no-show.',
    params: IdParams,
    body: RampOutBody,
    answers: { 200: envelope(Reservation, bookingWarnings) },
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.rampedOutAlready,
      platformErrors.resourceOut,
      dispatchErrors.placeTaken,
      dispatchErrors.tachOutMissing,
      dispatchErrors.notAboard,
      dispatchErrors.rampInFirst,
      dispatchErrors.maintenanceNotRamped,
      dispatchErrors.resourceMissing,
      dispatchErrors.roomNotRamped,
      dispatchErrors.unknownSquawk,
      dispatchErrors.backInPast,
      dispatchErrors.backTooLate,
      [dispatchErrors.notReleased, 'where `settings.dispatchChecks` is `block`'],
      schedulingErrors.overrideNotAllowed,
      schedulingErrors.paperMissing,
      schedulingErrors.unknownRule,
      schedulingErrors.noSuchBooking,
    ],
    prepare: (call) => updateWeatherOfBooking(call, call.params.id),
    write: (tx, call) => {
      const { actor, params, body } = call
      const departure = { ...body, tachTimeOut: body.tachTimeOut ?? null }
      return recordedRampOut(rampOut(tx, actor, params.id, departure, bringBack), params.id, call)
    },
    answer: async ({ id, checks }, { services, actor }) =>
      ok(await viewReservation(services, actor, id), beside(warningsOfChecks(checks))),
  })

  on.post('/reservations/:id/rampIn', {
    id: 'rampIn',
    access: 'member',
    tag,
    summary: 'Ramp in',
    description:
      'Records the readings at which an aircraft or simulator comes back, and moves its own meters forward to ' +
      'them. Allowed for the people on the booking; also for desk staff when `settings.deskRamps` is set, or more ' +
      'than 12 hours after the booked end.',
    params: IdParams,
    body: RampInBody,
    answers,
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.notRampedOut,
      schedulingErrors.rampedInAlready,
      dispatchErrors.tachInMissing,
      dispatchErrors.notAboard,
      schedulingErrors.noSuchBooking,
      [dispatchErrors.meterAnomaly, 'repeat the request with `confirmMeterAnomaly`'],
    ],
    write: (tx, { actor, params, body }) =>
      rampIn(tx, actor, params.id, { ...body, tachTimeIn: body.tachTimeIn ?? null, briefing: body.briefing ?? null }),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })

  on.post('/reservations/:id/confirmReview', {
    id: 'confirmReview',
    access: 'member',
    tag,
    edits: 'reservation',
    summary: 'Sign the figures of a flight',
    description:
      'Signs the figures of a flight for the caller’s side. The last required signature signs the flight off. A ' +
      'dual, a ground lesson, and a simulator session or rental with an instructor need one signature of the ' +
      'instructor and one of the other side; other bookings need one. After a payer has confirmed a meter anomaly, ' +
      'every payer must sign, until non-paying desk staff or instructors confirm the figures with ' +
      '`updateReviewTimes`. A signature covers the amount that each payer owes at that time; when prices or ' +
      'settings raise it later, the payer is notified before being charged. A payer who was notified can sign ' +
      'again; the invoices then no longer wait for that payer.',
    params: IdParams,
    body: ConfirmReviewBody,
    answers,
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.nothingToConfirmYet,
      schedulingErrors.allConfirmed,
      dispatchErrors.nothingForYouToConfirm,
      dispatchErrors.notByBriefing,
      dispatchErrors.briefingSet,
      dispatchErrors.confirmedAlready,
      dispatchErrors.confirmForParties,
      dispatchErrors.behalfByDesk,
      dispatchErrors.behalfOfBothSides,
      dispatchErrors.behalfOfAccount,
      dispatchErrors.behalfNotAboard,
      schedulingErrors.noSuchBooking,
      [
        dispatchErrors.meterAnomaly,
        'a briefing above the booked time plus an hour; repeat the request with `confirmMeterAnomaly`',
      ],
    ],
    write: (tx, { actor, params, body }) =>
      signFlight(tx, actor, params.id, {
        briefing: body?.briefing ?? null,
        confirmMeterAnomaly: body?.confirmMeterAnomaly ?? false,
        onBehalfOf: body?.onBehalfOf,
      }),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })

  on.post('/reservations/:id/updateReviewTimes', {
    id: 'updateReviewTimes',
    access: 'member',
    tag,
    summary: 'Correct the figures of a flight',
    description:
      'Corrects readings or the briefing of a booking, and deletes every signature on it, so that the new figures ' +
      'are signed again. Allowed for the people on the booking and desk staff; once somebody else has signed, only ' +
      'for owners, admins, dispatchers and the instructor of the booking. The two readings of a meter, out and in, are ' +
      'sent together; what is left out or null stays. ' +
      'A body that changes nothing has no effect. The aircraft’s own meters change with the correction only if ' +
      'they still equal the readings of this flight.',
    params: IdParams,
    body: ReviewTimesBody,
    answers: { 200: envelope(Reservation, correctionOutcome) },
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.nothingToCorrectYet,
      dispatchErrors.othersSigned,
      dispatchErrors.notYourFlight,
      schedulingErrors.noSuchBooking,
      schedulingErrors.flightBilled,
      [dispatchErrors.maintenanceTrigger, 'repeat the request with `confirmMaintenanceTrigger`'],
      [dispatchErrors.meterAnomaly, 'repeat the request with `confirmMeterAnomaly`'],
    ],
    write: (tx, { actor, params, body }) => correctTimes(tx, actor, params.id, body),
    answer: async ({ id, noChanges, meter }, { services, actor }) =>
      ok(await viewFlight(services, actor, id), { ...(noChanges && { noChanges }), meter: meterView(meter) }),
  })

  on.post('/reservations/:id/reopen', {
    id: 'reopenReview',
    access: 'member',
    tag,
    summary: 'Reopen a signed close-out',
    description:
      'Deletes the signatures of a signed-off flight; readings, people and times stay. Allowed for owners, admins, ' +
      'dispatchers and the instructor of the booking. The reason is kept in the history.',
    params: IdParams,
    body: ReopenBody,
    answers,
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.notSignedOff,
      dispatchErrors.reopenForDesk,
      schedulingErrors.noSuchBooking,
      schedulingErrors.flightBilled,
    ],
    write: (tx, { actor, params, body }) => reopen(tx, actor, params.id, body.reason),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })
}

/** Returns the aircraft's meters after a correction, in hours. */
function meterView({ followed, aircraftHobbs, aircraftTach }: FollowedMeters) {
  const reading = (hundredths: Hundredths | null) => (hundredths === null ? null : readingToNumber(hundredths))
  return { followed, aircraftHobbs: reading(aircraftHobbs), aircraftTach: reading(aircraftTach) }
}
