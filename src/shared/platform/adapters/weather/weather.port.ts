/** A source of weather reports for airports. */
export interface WeatherSource {
  /**
   * Returns the latest METAR and TAF of a station as raw texts; null for a missing one.
   * @throws WeatherUnavailable when the source gives no readable response
   */
  latest(station: string): Promise<StationWeather>
}

/** The raw texts of a station. */
export interface StationWeather {
  metar: string | null
  taf: string | null
}

/** The source is unreachable, slow, or returns an unreadable response: a later call may succeed. */
export class WeatherUnavailable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WeatherUnavailable'
  }
}

/** Conditions at an airport, observed or forecast. A part that the report does not have is null. */
export interface Conditions {
  wind: Wind | null
  visibility: Visibility | null
  /** The weather codes of the report, such as `-RA` or `BR`. */
  weather: string[]
  clouds: CloudLayer[]
  /** Whether the report describes the sky; also true for a clear sky. */
  skyKnown: boolean
  /** Vertical visibility in feet into an obscured sky; `unknown` when it is obscured and not measured. */
  verticalVisibility: number | 'unknown' | null
}

export interface Wind {
  /** True degrees; null for a variable direction. */
  degrees: number | null
  knots: number
  gustKnots: number | null
}

export interface Visibility {
  statuteMiles: number
  /** Whether the visibility is more or less than `statuteMiles`; null when it is this value. */
  bound: 'more' | 'less' | null
}

export interface CloudLayer {
  cover: 'FEW' | 'SCT' | 'BKN' | 'OVC'
  /** Feet above the ground; null when it was not measured. */
  baseFeet: number | null
}

export interface Observation extends Conditions {
  observedAt: Date
  temperatureCelsius: number | null
  dewPointCelsius: number | null
  altimeterHectopascals: number | null
}

/** One period of a forecast. */
export interface ForecastPeriod extends Conditions {
  change: 'initial' | 'FM' | 'BECMG' | 'TEMPO' | 'PROB'
  /** Percent. */
  probability: number | null
  from: Date
  /** Null: until the next period that starts with FM, or the end of the forecast. */
  to: Date | null
}

export interface Forecast {
  issuedAt: Date | null
  from: Date
  to: Date
  periods: ForecastPeriod[]
}
