import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { findBookingToReadLog } from '../../shared/dispatch/flight-log.access.ts'
import { findLog } from '../../shared/dispatch/flight-log.queries.ts'
import { putFlightLog } from '../../shared/dispatch/put-flight-log.ts'
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
    summary: 'Read what people logged of a flight',
    description:
      'For those on the booking and staff. `problems` are figures that a later correction of the meters passed. ' +
      'The entries of 14 CFR 61.51(b).',
    params: IdParams,
    answers,
    errors: [dispatchErrors.noLog, dispatchErrors.notYourFlight, schedulingErrors.noSuchBooking],
    read: (call) => answerLog(call, call.params.id),
  })

  on.put('/reservations/:id/log', {
    id: 'putFlightLog',
    access: 'member',
    tag,
    summary: 'Log a flight: 14 CFR 61.51',
    description:
      'A row a person, from ramp-in on. Those on the booking write their own, its instructor and desk staff all. Times are ' +
      'tenths of hours, none above the Hobbs time of the flight (61.51(b)); what contradicts itself is refused, with every ' +
      'problem named: night landings without night time, solo with an instructor aboard, actual and simulated instrument ' +
      'time above the whole. A simulator gives simulator time only. Pilot-in-command time in training by somebody who is ' +
      'not known to be rated (61.51(e)(1)(i)) is kept with a warning, and so are night takeoffs and full stops of a flight ' +
      'that was not out between one hour after sunset and one hour before sunrise (61.57(b)), at a location with coordinates, and a student’s solo to another airport without ' +
      'the endorsements for it (61.93(b), (c)). Open until the flight is invoiced, and for 7 days ' +
      'after ramp-in; admins correct it later with `reason`. Every change is in the history of the booking.',
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
    write: (tx, { actor, params, body }) => putFlightLog(tx, actor, params.id, body),
    answer: ({ id }, call) => answerLog(call, id),
  })
}
