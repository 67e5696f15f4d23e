import { setTimeout as sleep } from 'node:timers/promises'
import { readMetar, readTaf } from '../../platform/adapters/weather/read-reports.ts'
import {
  type Forecast,
  type Observation,
  type WeatherSource,
  WeatherUnavailable,
} from '../../platform/adapters/weather/weather.port.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { countStation, takeCalls } from './weather-limits.access.ts'
import { claimStation, recordAnswer, recordFailure, type StationState, stationState } from './weather-station.access.ts'

/** The weather at a station: the texts of the reports, and the parsed ones. */
export interface Weather {
  station: string
  metar: { raw: string; observation: Observation | null } | null
  taf: { raw: string; forecast: Forecast | null } | null
  fetchedAt: Date
  /** True when the reports are older than five minutes, because the source currently does not answer or has none. */
  stale: boolean
}

/** Calls to the source per station: one for the report, one for the forecast. */
const CALLS_A_STATION = 2
/**
 * `WAIT_MS` is how long a request waits for reports that another request fetches, `LOOK_MS` the pause between two checks; in
 * milliseconds.
 */
const WAIT_MS = 6_000
const LOOK_MS = 100

/**
 * Returns the latest reports of a station. They are cached for five minutes and shared by all processes; when the
 * source fails, the previous ones are returned as stale.
 * Implements interface §Weather.
 * @param factor multiplies the limit of different stations
 * @throws TooManyRequests when the organization, or the organizations of one of its owners together, requested 60 other
 * stations in the last hour.
 * @throws NotFound when the source has no such station, which is remembered for an hour.
 * @throws Unavailable when there is no source, or it fails and no reports are stored.
 */
export async function readWeather(
  db: Db,
  source: WeatherSource | null,
  { organizationId }: Pick<Actor, 'organizationId'>,
  { station, factor }: { station: string; factor: number },
): Promise<Weather> {
  if (!source) throw schedulingErrors.noWeatherSource()
  await countStation(db, organizationId, { station, factor })
  if (await claimStation(db, station)) await askSource(db, source, station)
  const state = await answeredState(db, station)
  if (state?.fetchedAt && (state.metar ?? state.taf) !== null) return weatherOf(station, state, state.fetchedAt)
  if (state?.unknown) throw schedulingErrors.noSuchStation()
  throw schedulingErrors.weatherAway()
}

async function askSource(db: Db, source: WeatherSource, station: string): Promise<void> {
  if (!(await takeCalls(db, CALLS_A_STATION))) return recordFailure(db, station)
  try {
    await recordAnswer(db, station, await source.latest(station))
  } catch (error) {
    await recordFailure(db, station)
    if (!(error instanceof WeatherUnavailable)) throw error
  }
}

/**
 * Returns the state of a station when no request is fetching its reports, at the latest after `WAIT_MS`; null when none is
 * stored.
 */
async function answeredState(db: Db, station: string): Promise<StationState | null> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const state = await stationState(db, station)
    if (!state?.claimed || performance.now() > until) return state
    await sleep(LOOK_MS)
  }
}

function weatherOf(station: string, { metar, taf, fresh }: StationState, fetchedAt: Date): Weather {
  return {
    station,
    metar: metar === null ? null : { raw: metar, observation: readMetar(metar, fetchedAt) },
    taf: taf === null ? null : { raw: taf, forecast: readTaf(taf, fetchedAt) },
    fetchedAt,
    stale: !fresh,
  }
}
