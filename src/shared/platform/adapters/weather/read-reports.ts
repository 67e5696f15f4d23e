import {
  CloudQuantity,
  DistanceUnit,
  type IAbstractWeatherContainer,
  type IMetarDated,
  type ITAFDated,
  parseMetar,
  parseTAF,
  SpeedUnit,
  ValueIndicator,
} from 'metar-taf-parser'
import type { CloudLayer, Conditions, Forecast, ForecastPeriod, Observation, Visibility, Wind } from './weather.port.ts'

const METERS_A_MILE = 1609.344
const HECTOPASCALS_AN_INCH = 33.8639
const KNOTS_A_METER_PER_SECOND = 1.943844
const KNOTS_A_KILOMETER_PER_HOUR = 0.539957

/** The start of a report: kind, station and time. It is checked because the library returns an empty report for other texts. */
const metarStart = /^(?:(?:METAR|SPECI) )?(?:COR )?[A-Z][A-Z0-9]{2,3} [0-9]{6}Z /
const tafStart = /^TAF (?:(?:AMD|COR) )?[A-Z][A-Z0-9]{2,3} (?:[0-9]{6}Z )?[0-9]{4}\/[0-9]{4} /

/**
 * Returns the observation of a METAR; null when it cannot be parsed. A METAR has only the day of the month: `near`, an instant
 * close to it, gives the month.
 */
export function readMetar(raw: string, near: Date): Observation | null {
  if (!metarStart.test(raw)) return null
  return unlessUnreadable(() => {
    const report: IMetarDated = parseMetar(raw, { issued: wholeMinute(near) })
    return {
      ...conditionsOf(report, raw),
      observedAt: report.issued,
      temperatureCelsius: report.temperature ?? null,
      dewPointCelsius: report.dewPoint ?? null,
      altimeterHectopascals: report.altimeter
        ? rounded(report.altimeter.value * (report.altimeter.unit === 'inHg' ? HECTOPASCALS_AN_INCH : 1), 0)
        : null,
    }
  })
}

/**
 * Returns the forecast of a TAF; null when it cannot be parsed. A TAF has only days of the month: `near`, an instant close to
 * it, gives the month.
 */
export function readTaf(raw: string, near: Date): Forecast | null {
  if (!tafStart.test(raw)) return null
  return unlessUnreadable(() => {
    const report: ITAFDated = parseTAF(raw, { issued: wholeMinute(near) })
    const { start: from, end: to } = report.validity
    const first: ForecastPeriod = {
      ...conditionsOf(report, report.initialRaw),
      change: 'initial',
      probability: null,
      from,
      to: null,
    }
    const trends = report.trends.map((trend): ForecastPeriod => {
      const { start, end } = trend.validity as { start: Date; end?: Date }
      return {
        ...conditionsOf(trend, trend.raw),
        change: changeOf(trend.type),
        probability: trend.probability ?? null,
        from: start,
        to: end ?? null,
      }
    })
    return { issuedAt: report.hour === undefined ? null : report.issued, from, to, periods: [first, ...trends] }
  })
}

/** Returns an instant without its seconds, which the library would add to the times of the report. */
function wholeMinute(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 60_000) * 60_000)
}

/** Returns the result of `read`; null when it throws, because the library's errors for unreadable texts have many classes. */
function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

function changeOf(type: string): ForecastPeriod['change'] {
  return type === 'FM' || type === 'BECMG' || type === 'TEMPO' ? type : 'PROB'
}

function conditionsOf(report: IAbstractWeatherContainer, raw: string): Conditions {
  // Remarks and trends after an observation describe other places and times.
  const [body = ''] = raw.split(/ (?:RMK|NOSIG|TEMPO|BECMG) /)
  const clouds = report.clouds.flatMap(layerOf)
  const verticalVisibility = report.verticalVisibility ?? (/\bVV\/\/\//.test(body) ? 'unknown' : null)
  const clear = report.cavok === true || /\b(?:CLR|SKC|NSC|NCD|CAVOK)\b/.test(body)
  return {
    wind: windOf(report),
    visibility: visibilityOf(report),
    weather: report.weatherConditions.map(({ intensity = '', descriptive = '', phenomenons }) =>
      [intensity, descriptive, ...phenomenons].join(''),
    ),
    clouds,
    skyKnown: clear || clouds.length > 0 || verticalVisibility !== null,
    verticalVisibility,
  }
}

function layerOf({ quantity, height }: IAbstractWeatherContainer['clouds'][number]): CloudLayer[] {
  switch (quantity) {
    case CloudQuantity.FEW:
    case CloudQuantity.SCT:
    case CloudQuantity.BKN:
    case CloudQuantity.OVC:
      return [{ cover: quantity, baseFeet: height ?? null }]
    default:
      return []
  }
}

function windOf({ wind }: IAbstractWeatherContainer): Wind | null {
  if (!wind) return null
  const factor =
    wind.unit === SpeedUnit.MetersPerSecond
      ? KNOTS_A_METER_PER_SECOND
      : wind.unit === SpeedUnit.KilometersPerHour
        ? KNOTS_A_KILOMETER_PER_HOUR
        : 1
  const knots = (speed: number) => rounded(speed * factor, 0)
  return {
    degrees: wind.degrees ?? null,
    knots: knots(wind.speed),
    gustKnots: wind.gust === undefined ? null : knots(wind.gust),
  }
}

function visibilityOf({ visibility }: IAbstractWeatherContainer): Visibility | null {
  if (!visibility) return null
  const { indicator, unit, value } = visibility
  const bound =
    indicator === ValueIndicator.GreaterThan ? 'more' : indicator === ValueIndicator.LessThan ? 'less' : null
  return { statuteMiles: unit === DistanceUnit.Meters ? rounded(value / METERS_A_MILE, 2) : value, bound }
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
