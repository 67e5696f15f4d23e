import type { Conditions, Forecast, ForecastPeriod, Observation } from '../../platform/adapters/weather/weather.port.ts'
import type { Interval } from '../../platform/kernel/instants.ts'

/** The last report and the forecast of a station; null when there is none that can be parsed. */
export interface StationReports {
  station: string
  observation: Observation | null
  forecast: Forecast | null
}

const MINUTE_MS = 60_000
/**
 * The greatest age of an observation at the start of a flight: when a forecast covers the start (`BESIDE_FORECAST_MS`), and
 * when none does (`ALONE_MS`). Reports are hourly.
 */
const BESIDE_FORECAST_MS = 90 * MINUTE_MS
const ALONE_MS = 180 * MINUTE_MS

/**
 * Returns the possible conditions of a flight: the last report when it is recent enough at the start, and each part of the
 * forecast that overlaps the flight. Empty when no report covers the flight. Implements interface §Booking rules.
 */
export function conditionsDuring({ observation, forecast }: StationReports, flight: Interval): Conditions[] {
  const expected = forecast ? forecastDuring(forecast, flight) : []
  const startIsForetold = forecast !== null && forecast.from <= flight.start && forecast.to > flight.start
  const longest = startIsForetold ? BESIDE_FORECAST_MS : ALONE_MS
  const counts = observation !== null && flight.start.getTime() - observation.observedAt.getTime() <= longest
  return counts ? [observation, ...expected] : expected
}

/** A part of a forecast with its complete conditions and its interval. */
interface Part extends Interval {
  conditions: Conditions
}

/**
 * Returns the conditions of the parts of a forecast that overlap a flight. FM replaces the previous part; BECMG changes
 * the elements it names gradually, so both parts hold during the change; TEMPO and PROB come in addition.
 */
function forecastDuring({ periods, to }: Forecast, flight: Interval): Conditions[] {
  const lasting: Part[] = []
  const passing: Part[] = []
  for (const period of periods) {
    const last = lasting.at(-1)
    const conditions = last && period.change !== 'FM' ? changedBy(last.conditions, period) : period
    const part = { conditions, start: period.from, end: to }
    if (period.change === 'TEMPO' || period.change === 'PROB') passing.push({ ...part, end: period.to ?? to })
    else {
      if (last) last.end = period.change === 'BECMG' ? (period.to ?? period.from) : period.from
      lasting.push(part)
    }
  }
  return [...lasting, ...passing]
    .filter(({ start, end }) => start < flight.end && end > flight.start)
    .map(({ conditions }) => conditions)
}

function changedBy(before: Conditions, change: ForecastPeriod): Conditions {
  const { clouds, skyKnown, verticalVisibility } = change.skyKnown ? change : before
  return {
    wind: change.wind ?? before.wind,
    visibility: change.visibility ?? before.visibility,
    weather: change.weather,
    clouds,
    skyKnown,
    verticalVisibility,
  }
}
