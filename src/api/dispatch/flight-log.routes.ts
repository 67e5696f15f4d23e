import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { findBookingToReadLog } from '../../shared/dispatch/flight-log.access.ts'
import { findLog } from '../../shared/dispatch/flight-log.queries.ts'
import { writeFlightLog } from '../../shared/dispatch/write-flight-log.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { ok } from '../http/answers.ts'
import type { Call, Routes } from '../http/endpoint.ts'
import { envelope, IdParams } from '../http/schemas.ts'
import { LogBody } from './flight-log.schemas.ts'
import { FlightLog, flightLogView } from './flight-log.view.ts'

const tag = 'Flight log'
const answers = { 200: envelope(FlightLog) }

async function answerLog({ db, actor }: Pick<Call<'member'>, 'db' | 'actor'>, id: number) {
  const booking = await findBookingToReadLog(db, actor, id)
  return ok(flightLogView(await findLog(db, actor.organizationId, booking)))
}

export const flightLogRoutes: Routes = (on) => {
  on.get('/reservations/:id/log', {
    id: 'readFlightLog',
    access: 'member',
    tag,
    summary: 'Read the flight log of a booking',
    description:
      'Returns the logged figures of the people on a flight: the entries of 14 CFR 61.51(b). Allowed for the ' +
      'people on the booking and staff.',
    params: IdParams,
    answers,
    errors: [dispatchErrors.noLog, dispatchErrors.notYourFlight, schedulingErrors.noSuchBooking],
    read: (call) => answerLog(call, call.params.id),
  })

  on.put('/reservations/:id/log', {
    id: 'putFlightLog',
    access: 'member',
    tag,
    summary: 'Log a flight (14 CFR 61.51)',
    description:
      'Writes one row per person, from ramp-in on. People on the booking write their own row; its instructor and ' +
      'desk staff write all rows. Contradictions are refused, and the answer names all of them: for example a time ' +
      'above the Hobbs time of the flight (61.51(b)), night landings without night time, solo time with an ' +
      'instructor aboard, or instrument times that together exceed the flight. In a simulator only simulator time, ' +
      'simulated instrument time, approaches and holds are logged. Figures that look wrong are kept, with ' +
      '`warnings`. The aircraft’s landing count changes with the logged landings. Every change is kept in the ' +
      'history of the booking.',
    params: IdParams,
    body: LogBody,
    answers,
    errors: [
      schedulingErrors.bookingCancelled,
      schedulingErrors.notRampedIn,
      dispatchErrors.noLog,
      dispatchErrors.logReasonMissing,
      dispatchErrors.notYourFlight,
      dispatchErrors.ownLogOnly,
      schedulingErrors.noSuchBooking,
      dispatchErrors.logClosed,
    ],
    write: (tx, { actor, params, body }) => writeFlightLog(tx, actor, params.id, body),
    answer: ({ id }, call) => answerLog(call, id),
  })
}
