import { z } from 'zod'
import { addOverrides } from '../../shared/dispatch/add-overrides.ts'
import { dispatchErrors } from '../../shared/dispatch/dispatch.errors.ts'
import { readRelease } from '../../shared/dispatch/read-release.ts'
import { checkStatuses } from '../../shared/dispatch/release.types.ts'
import { overridingRoles } from '../../shared/platform/authz/rule-settings.ts'
import { findStationOfBooking } from '../../shared/scheduling/reservations/weather-ahead.queries.ts'
import { settingsOf } from '../../shared/scheduling/rules/rule-catalogue.rules.ts'
import { schedulingErrors } from '../../shared/scheduling/scheduling.errors.ts'
import { updateWeather } from '../../shared/scheduling/weather/update-weather.ts'
import { ok } from '../http/answers.ts'
import type { Call, Routes } from '../http/endpoint.ts'
import { errorAnswer } from '../http/openapi-errors.ts'
import { QueryReading } from '../http/reading-schemas.ts'
import { envelope, IdParams, queryWords } from '../http/schemas.ts'
import { viewFlight } from '../scheduling/reservations/answer-reservation.ts'
import { Reservation } from '../scheduling/reservations/reservation.view.ts'
import { NeededOverrides } from '../scheduling/rules/overrides.schemas.ts'
import { Release } from './release.view.ts'

const tag = 'Close-out'

/** The checks of a release that are not rules of booking. */
const ownChecks = [
  dispatchErrors.resourceNotNamed,
  dispatchErrors.squawkOpen,
  dispatchErrors.meterGap,
  dispatchErrors.tooEarly,
  dispatchErrors.fileMissing,
  dispatchErrors.fileExpired,
]

/** The endpoints of releases. Implements interface §Dispatch. */
export const releaseRoutes: Routes = (on) => {
  on.get('/reservations/:id/release', {
    id: 'readRelease',
    access: 'member',
    countsTwice: true,
    tag,
    summary: 'Check whether a booking may leave now',
    description:
      'Returns the checks of a booking as if it left now, and a verdict. Allowed for the people on the booking, its ' +
      'creator, and staff. `settings.dispatchChecks` says what ramp-out does with the result. The pilot in command ' +
      'remains responsible for what 14 CFR 91.3, 91.7 and 91.103 ask. Counts as two requests against the limit per ' +
      'minute. Besides the rules of booking a check is one of these:\n\n' +
      errorAnswer(ownChecks).description,
    params: IdParams,
    query: z.object({
      hobbsTimeOut: QueryReading.optional().describe(
        'The Hobbs reading that will be entered; it is compared with the current one of the aircraft',
      ),
      tachTimeOut: QueryReading.optional().describe(
        'The tach reading that will be entered; it is compared with the current one of the aircraft',
      ),
      status: queryWords(checkStatuses)
        .optional()
        .describe('Only checks with one of these statuses. The verdict always counts all checks'),
    }),
    answers: { 200: envelope(Release) },
    errors: [
      schedulingErrors.noSuchBooking,
      schedulingErrors.notOnBooking,
      schedulingErrors.bookingCancelled,
      schedulingErrors.leftTheRamp,
      dispatchErrors.nothingToRelease,
    ],
    read: async (call) => {
      const { db, actor, now, params, query } = call
      await updateWeatherOfBooking(call, params.id)
      const readings = { hobbs: query.hobbsTimeOut ?? null, tach: query.tachTimeOut ?? null }
      const { verdict, checks } = await readRelease(db, actor, now, params.id, readings)
      const { status: wanted = checkStatuses } = query
      return ok({ verdict, checks: checks.filter(({ status }) => wanted.includes(status)) })
    },
  })

  on.post('/reservations/:id/overrides', {
    id: 'addOverrides',
    access: overridingRoles,
    tag,
    summary: 'Override rules for an existing booking',
    description:
      'Records overrides for a booking before its ramp-out. The roles that may override a rule are in `GET ' +
      '/rules`. The rules are checked for the start of the booking and, in the last 24 hours before it, also for ' +
      'now. An override that no rule needs is ignored.',
    params: IdParams,
    body: z.object({ overrides: NeededOverrides }),
    answers: { 200: envelope(Reservation) },
    errors: [
      schedulingErrors.noSuchBooking,
      schedulingErrors.bookingCancelled,
      schedulingErrors.leftTheRamp,
      schedulingErrors.overrideNotAllowed,
      schedulingErrors.paperMissing,
      schedulingErrors.unknownRule,
    ],
    write: (tx, { actor, params, body }) => addOverrides(tx, actor, params.id, body.overrides),
    answer: async ({ id }, { services, actor }) => ok(await viewFlight(services, actor, id)),
  })
}

type Asked = Pick<Call<'member'>, 'db' | 'actor' | 'services'>

/** Updates the weather of a booking that is about to leave, unless the rule `pilot_minimums` is off. */
export async function updateWeatherOfBooking({ db, actor, services }: Asked, reservationId: number): Promise<void> {
  const { organizationId, organization } = actor
  if (settingsOf('pilot_minimums', organization.settings.rules).enforcement === 'off') return
  const station = await findStationOfBooking(db, organizationId, reservationId)
  await updateWeather(db, services, { organizationId, station })
}
