import { confirmReview } from '../../shared/dispatch/confirm-review.ts'
import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import type { FollowedMeters } from '../../shared/dispatch/follow-with-meters.ts'
import { rampIn } from '../../shared/dispatch/ramp-in.ts'
import { rampOut } from '../../shared/dispatch/ramp-out.ts'
import { reopen } from '../../shared/dispatch/reopen.ts'
import { updateReviewTimes } from '../../shared/dispatch/update-review-times.ts'
import { readingToNumber } from '../../shared/platform/kernel/hours.ts'
import type { Hundredths } from '../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../http/answers.ts'
import type { Routes } from '../http/endpoint.ts'
import { envelope, IdParams } from '../http/schemas.ts'
import { viewReservation } from '../scheduling/reservations/answer-reservation.ts'
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
import { updateWeatherOfBooking } from './release.routes.ts'
import { warningsOfChecks } from './release.view.ts'

const tag = 'Close-out'
const answers = { 200: envelope(Reservation) }

export const closeOutRoutes: Routes = (on) => {
  on.post('/reservations/:id/rampOut', {
    id: 'rampOut',
    access: 'member',
    tag,
    summary: 'Ramp out: the aircraft leaves, with these readings',
    description:
      'For those on the booking, and for desk staff where `settings.deskRamps` is set. The checks of `GET ' +
      '/reservations/{id}/release` are asked: by `settings.dispatchChecks` those that are not met stand in `warnings`, or what ' +
      'blocks and every squawk that is not acknowledged refuses it, unless it is overridden.',
    params: IdParams,
    body: RampOutBody,
    answers: { 200: envelope(Reservation, bookingWarnings) },
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.rampedOutAlready,
      platformErrors.resourceOut,
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
      schedulingErrors.unknownRule,
      schedulingErrors.noSuchBooking,
    ],
    prepare: (call) => updateWeatherOfBooking(call, call.params.id),
    write: (tx, { actor, params, body }) =>
      rampOut(tx, actor, params.id, { ...body, tachTimeOut: body.tachTimeOut ?? null }),
    answer: async ({ id, checks }, { services, actor }) =>
      ok(await viewReservation(services, actor, id), beside(warningsOfChecks(checks))),
  })

  on.post('/reservations/:id/rampIn', {
    id: 'rampIn',
    access: 'member',
    tag,
    summary: 'Ramp in: the aircraft is back, with these readings',
    description:
      "The aircraft's own meters move forward to them. For those on the booking, and for desk staff where " +
      '`settings.deskRamps` is set, or once its end is more than 12 hours past.',
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
      [dispatchErrors.meterAnomaly, 'send the same again with `confirmMeterAnomaly`'],
    ],
    write: (tx, { actor, params, body }) =>
      rampIn(tx, actor, params.id, { ...body, tachTimeIn: body.tachTimeIn ?? null, briefing: body.briefing ?? null }),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/confirmReview', {
    id: 'confirmReview',
    access: 'member',
    tag,
    edits: 'reservation',
    summary: 'Sign the figures of the flight for your side',
    description:
      'Dual, ground, and sim or rental with an instructor need the instructor and the other side; others one. One ' +
      'person signs for a side; everybody who pays does when one of them confirmed a meter anomaly, until desk staff or ' +
      'an instructor who does not pay confirm the figures with `updateReviewTimes`. ' +
      'For a managed member, who cannot sign in, desk staff who are not on the booking sign with `onBehalfOf`, nobody both ' +
      'sides; the history names both, and the member is mailed the figures. ' +
      'A payer who was told what will be taken for a signed-off flight signs too: the invoices no longer wait for them. ' +
      'With `If-Match` of `GET /reservations/{id}` only what the caller has read is signed.',
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
      [dispatchErrors.meterAnomaly, 'a briefing above the booked time plus an hour: again with `confirmMeterAnomaly`'],
    ],
    write: (tx, { actor, params, body }) =>
      confirmReview(tx, actor, params.id, {
        briefing: body?.briefing ?? null,
        confirmMeterAnomaly: body?.confirmMeterAnomaly ?? false,
        onBehalfOf: body?.onBehalfOf,
      }),
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })

  on.post('/reservations/:id/updateReviewTimes', {
    id: 'updateReviewTimes',
    access: 'member',
    tag,
    summary: 'Correct figures that the booking holds',
    description:
      'For those seated and desk staff. Every signature on the booking goes, so that its sides confirm the new figures; ' +
      'a body that changes nothing writes nothing. The aircraft’s own meters follow only while this flight is what they read.',
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
      [dispatchErrors.maintenanceTrigger, 'send the same again with `confirmMaintenanceTrigger`'],
      [dispatchErrors.meterAnomaly, 'send the same again with `confirmMeterAnomaly`'],
    ],
    write: (tx, { actor, params, body }) => updateReviewTimes(tx, actor, params.id, body),
    answer: async ({ id, noChanges, meter }, { services, actor }) =>
      ok(await viewReservation(services, actor, id), { ...(noChanges && { noChanges }), meter: meterView(meter) }),
  })

  on.post('/reservations/:id/reopen', {
    id: 'reopenReview',
    access: 'member',
    tag,
    summary: 'Open a signed close-out again',
    description:
      'For admins, dispatchers and the instructor of the booking. Clears the signatures; readings, crew and times stay. ' +
      'The reason is kept in the history.',
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
    answer: async ({ id }, { services, actor }) => ok(await viewReservation(services, actor, id)),
  })
}

/** Returns the aircraft's meters after a correction as JSON numbers in hours. */
function meterView({ followed, aircraftHobbs, aircraftTach }: FollowedMeters) {
  const reading = (hundredths: Hundredths | null) => (hundredths === null ? null : readingToNumber(hundredths))
  return { followed, aircraftHobbs: reading(aircraftHobbs), aircraftTach: reading(aircraftTach) }
}
