import type { WeatherSource } from '../../platform/adapters/weather/weather.port.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, TooManyRequests, Unavailable } from '../../platform/kernel/errors.ts'
import { readWeather } from './read-weather.ts'

/** The source of reports, and the factor on the limit of different stations. */
export interface WeatherTools {
  weather: WeatherSource | null
  config: { RATE_LIMIT_FACTOR: number }
}

/**
 * Fetches and stores the reports of a station unless they are fresh, before a check that reads the stored reports. The stored
 * reports stay as they are when there is no source or station, when the source fails, and when a limit is reached. Must be
 * called outside a transaction.
 */
export async function updateWeather(
  db: Db,
  { weather, config }: WeatherTools,
  { organizationId, station }: { organizationId: number; station: string | null },
): Promise<void> {
  if (weather === null || station === null) return
  try {
    await readWeather(db, weather, { organizationId }, { station, factor: config.RATE_LIMIT_FACTOR })
  } catch (error) {
    const isAnswer = error instanceof NotFound || error instanceof TooManyRequests || error instanceof Unavailable
    if (!isAnswer) throw error
  }
}
