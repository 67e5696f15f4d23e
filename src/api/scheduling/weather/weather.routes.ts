import { z } from 'zod'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import { readWeather } from '../../../shared/scheduling/weather/read-weather.ts'
import { stationPattern } from '../../../shared/scheduling/weather/weather.rules.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { WeatherReport, weatherView } from './weather.view.ts'

const Station = z
  .string()
  .regex(stationPattern, fieldErrors.airport())
  .meta({ override: { type: 'string', example: 'KHWD' } })

/** The endpoint of the weather at airports. */
export const weatherRoutes: Routes = (on) => {
  on.get('/weather/:station', {
    id: 'readWeather',
    access: 'member',
    tag: 'Weather',
    summary: 'Read the METAR and TAF of a station',
    description:
      'Returns the latest reports of a station, as text and parsed. Reports are cached for 5 minutes. When the ' +
      'source fails, the last known reports are returned with `stale: true`. The flight category is LIFR below 500 ' +
      'feet or 1 statute mile, IFR below 1000 feet or 3 miles, MVFR up to 3000 feet or 5 miles, otherwise VFR. ' +
      'Limit: 60 different stations per hour, per organization and over all organizations of one owner.',
    params: z.object({ station: Station }),
    answers: { 200: envelope(WeatherReport) },
    errors: [schedulingErrors.noSuchStation, schedulingErrors.noWeatherSource, schedulingErrors.weatherAway],
    read: async ({ db, services: { weather, config }, actor, params: { station } }) =>
      ok(weatherView(await readWeather(db, weather, actor, { station, factor: config.RATE_LIMIT_FACTOR }))),
  })
}
