import { z } from 'zod'
import type { Conditions } from '../../../shared/platform/adapters/weather/weather.port.ts'
import type { Weather } from '../../../shared/scheduling/weather/read-weather.ts'
import { ceilingOf, flightCategories, flightCategory } from '../../../shared/scheduling/weather/weather.rules.ts'
import { iso } from '../../http/iso.ts'
import { Instant } from '../../http/schemas.ts'

const Category = z
  .enum(flightCategories)
  .meta({ choices: 'FlightCategory' })
  .nullable()
  .describe(
    'The worse of the categories of ceiling and visibility; null when one of the two is not reported and could ' +
      'make it worse',
  )
const whole = () => z.int().nullable()

const conditions = {
  wind: z
    .object({
      degrees: whole().describe('Degrees from true north; null when variable'),
      knots: z.int(),
      gustKnots: whole(),
    })
    .meta({ id: 'Wind' })
    .nullable(),
  visibility: z
    .object({
      statuteMiles: z.number(),
      bound: z
        .enum(['more', 'less'])
        .nullable()
        .describe('Whether the visibility is `more` or `less` than `statuteMiles`; null when it is equal'),
    })
    .meta({ id: 'Visibility' })
    .nullable(),
  weather: z.array(z.string()).describe('The weather codes of the report'),
  clouds: z.array(
    z
      .object({
        cover: z.enum(['FEW', 'SCT', 'BKN', 'OVC']),
        baseFeet: whole().describe('Feet above the ground; null when it was not measured'),
      })
      .meta({ id: 'CloudLayer' }),
  ),
  ceilingFeet: whole().describe(
    'The height of the lowest broken or overcast layer, or the vertical visibility; null when there is none or it ' +
      'is not known',
  ),
  flightCategory: Category,
}

const ParsedMetar = z.object({
  observedAt: Instant,
  ...conditions,
  temperatureCelsius: whole(),
  dewPointCelsius: whole(),
  altimeterHectopascals: whole(),
})

const ParsedTaf = z.object({
  issuedAt: Instant.nullable(),
  from: Instant,
  to: Instant,
  periods: z.array(
    z.object({
      change: z.enum(['initial', 'FM', 'BECMG', 'TEMPO', 'PROB']),
      probability: whole().describe('The probability in percent; null without one'),
      from: Instant,
      to: Instant.nullable().describe(
        'The end of the period; null: the start of the next `FM` period, or the end of the forecast',
      ),
      ...conditions,
    }),
  ),
})

/** The weather at a station. */
export const WeatherReport = z
  .object({
    station: z.string(),
    metar: z
      .object({
        raw: z.string(),
        parsed: ParsedMetar.nullable().describe('The parsed report; null when the text cannot be parsed'),
      })
      .nullable(),
    taf: z
      .object({
        raw: z.string(),
        parsed: ParsedTaf.nullable().describe('The parsed report; null when the text cannot be parsed'),
      })
      .nullable(),
    flightCategory: Category.describe(
      'The flight category of the METAR; null when there is none, or when it does not report a ceiling or a ' +
        'visibility that could make the category worse',
    ),
    fetchedAt: Instant,
    stale: z.boolean().describe('`true` when the source does not answer and these are the last known reports'),
  })
  .meta({ id: 'WeatherReport' })

/** Returns the weather at a station as JSON. */
export function weatherView({ station, metar, taf, fetchedAt, stale }: Weather): z.input<typeof WeatherReport> {
  const observation = metar?.observation ?? null
  const forecast = taf?.forecast ?? null
  return {
    station,
    metar: metar && {
      raw: metar.raw,
      parsed: observation && {
        observedAt: iso(observation.observedAt),
        ...conditionsView(observation),
        temperatureCelsius: observation.temperatureCelsius,
        dewPointCelsius: observation.dewPointCelsius,
        altimeterHectopascals: observation.altimeterHectopascals,
      },
    },
    taf: taf && {
      raw: taf.raw,
      parsed: forecast && {
        issuedAt: iso(forecast.issuedAt),
        from: iso(forecast.from),
        to: iso(forecast.to),
        periods: forecast.periods.map((period) => ({
          change: period.change,
          probability: period.probability,
          from: iso(period.from),
          to: iso(period.to),
          ...conditionsView(period),
        })),
      },
    },
    flightCategory: observation && flightCategory(observation),
    fetchedAt: iso(fetchedAt),
    stale,
  }
}

function conditionsView(of: Conditions) {
  const ceiling = ceilingOf(of)
  return {
    wind: of.wind,
    visibility: of.visibility,
    weather: of.weather,
    clouds: of.clouds,
    ceilingFeet: ceiling === 'unknown' ? null : ceiling,
    flightCategory: flightCategory(of),
  }
}
