import { z } from 'zod'
import { type Config, ConfigError } from '../../config/config.ts'
import { type WeatherSource, WeatherUnavailable } from './weather.port.ts'

export interface AviationWeatherOptions {
  /** The base URL, such as https://aviationweather.gov. */
  apiBase: string
  /** The `User-Agent` header, which identifies the service to the source. */
  userAgent: string
  timeoutMs?: number
}

/** The most milliseconds of both calls together, and the most bytes of one response. */
const TIMEOUT_MS = 5_000
const MOST_BYTES = 256 * 1024

/** Reports are printable ASCII, and short. */
const RawReport = z
  .string()
  .min(10)
  .max(4_000)
  .regex(/^[\x20-\x7e\r\n\t]+$/)
const Metars = z.array(z.looseObject({ icaoId: z.string(), rawOb: RawReport, obsTime: z.number().optional() })).max(50)
const Tafs = z.array(z.looseObject({ icaoId: z.string(), rawTAF: RawReport })).max(50)

/**
 * Creates a client of the JSON interface of the Aviation Weather Center. It follows no redirects and does not retry.
 * 204, 404 and an empty list mean that there is no report.
 */
export function createAviationWeather(options: AviationWeatherOptions): WeatherSource {
  return {
    async latest(station) {
      const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
      const [metars, tafs] = await Promise.all([
        ask(options, 'metar', station, signal).then((body) => inShape(Metars, body)),
        ask(options, 'taf', station, signal).then((body) => inShape(Tafs, body)),
      ])
      const observed = metars
        .filter(({ icaoId }) => icaoId === station)
        .sort((a, b) => (b.obsTime ?? 0) - (a.obsTime ?? 0))
      const forecast = tafs.find(({ icaoId }) => icaoId === station)
      return { metar: oneLine(observed[0]?.rawOb), taf: oneLine(forecast?.rawTAF) }
    },
  }
}

/**
 * Returns the configured source; null when none is configured.
 * @throws ConfigError when its URL is not http or https
 */
export function openWeather(config: Pick<Config, 'WEATHER_API_BASE' | 'WEATHER_USER_AGENT'>): WeatherSource | null {
  const { WEATHER_API_BASE: base, WEATHER_USER_AGENT: userAgent = 'flightline' } = config
  if (!base) return null
  if (!/^https?:/.test(base)) throw new ConfigError('WEATHER_API_BASE: is not a web address')
  return createAviationWeather({ apiBase: base.replace(/\/$/, ''), userAgent })
}

async function ask(
  { apiBase, userAgent }: AviationWeatherOptions,
  what: 'metar' | 'taf',
  station: string,
  signal: AbortSignal,
): Promise<unknown> {
  const query = new URLSearchParams({ ids: station, format: 'json' })
  try {
    const response = await fetch(`${apiBase}/api/data/${what}?${query}`, {
      headers: { accept: 'application/json', 'user-agent': userAgent },
      redirect: 'error',
      signal,
    })
    if (response.status === 204 || response.status === 404) {
      await response.body?.cancel()
      return []
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw new WeatherUnavailable(`The source of reports answered ${response.status}.`)
    }
    return JSON.parse(await textOf(response))
  } catch (error) {
    if (error instanceof WeatherUnavailable) throw error
    throw new WeatherUnavailable('The source of reports gave no answer that can be read.')
  }
}

/**
 * Returns the body of a response as text.
 * @throws WeatherUnavailable when it has more than `MOST_BYTES`
 */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MOST_BYTES) throw new WeatherUnavailable('The source of reports answered too much.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function inShape<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (!read.success) throw new WeatherUnavailable('The source of reports answered in another shape.')
  return read.data
}

function oneLine(raw: string | undefined): string | null {
  return raw?.replace(/\s+/g, ' ').trim() ?? null
}
