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
      'desk staff write all rows. Times are tenths of hours. No time may exceed the Hobbs time of the flight ' +
      '(61.51(b)). Contradictions are refused, and the answer names all of them, for example night landings ' +
      'without night time, solo time with an instructor aboard, or actual and simulated instrument time that ' +
      'together exceed the flight. In a simulator only simulator time, simulated instrument time, approaches and ' +
      'holds are logged. These figures are kept with a warning: pilot-in-command time in training of a person who ' +
      'is not known to be rated (61.51(e)(1)(i)); night takeoffs and full stops of a flight that was not out ' +
      'between one hour after sunset and one hour before sunrise (61.57(b)), at a location with coordinates; ' +
      'approaches without instrument time (61.51(g)); and a student’s solo flight to another airport without the ' +
      'endorsements for it (61.93(b), (c)). The aircraft’s landing count changes with the logged landings. The log ' +
      'closes when the flight is invoiced and was ramped in more than 7 days ago; after that only admins can ' +
      'correct it, with `reason`. Every change is kept in the history of the booking.',
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
