import type { WeatherSource } from '../../platform/adapters/weather/weather.port.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound, TooManyRequests, Unavailable } from '../../platform/kernel/errors.ts'
import { readWeather } from './read-weather.ts'

/** Where reports come from, and what multiplies the limit of different stations. */
export interface WeatherTools {
  weather: WeatherSource | null
  config: { RATE_LIMIT_FACTOR: number }
}

/**
 * Fetches the reports of a station unless they are fresh, for what judges by the stored ones. Without a source, a station or an
 * answer they stay as they are. No transaction is open meanwhile.
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
