import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWeatherStandIn } from '../../local/weather/weather-stand-in.ts'
import { createAviationWeather, openWeather } from '../../src/shared/platform/adapters/weather/aviation-weather.ts'
import { readMetar, readTaf } from '../../src/shared/platform/adapters/weather/read-reports.ts'
import { WeatherUnavailable } from '../../src/shared/platform/adapters/weather/weather.port.ts'

const NOW = new Date('2026-11-21T20:10:00Z')
const opened: FastifyInstance[] = []
afterAll(async () => {
  for (const app of opened) await app.close()
})

async function listening(app: FastifyInstance) {
  opened.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.listeningOrigin
}

const client = (apiBase: string) => createAviationWeather({ apiBase, userAgent: 'tests', timeoutMs: 300 })

describe('reports of the stand-in', () => {
  let apiBase: string
  beforeAll(async () => {
    apiBase = await listening(buildWeatherStandIn(() => NOW))
  })

  test('are of the last hour, and can be read', async () => {
    const { metar, taf } = await client(apiBase).latest('KHWD')
    expect(metar).toBe('METAR KHWD 211954Z 28008KT 10SM FEW012 BKN035 18/11 A3002 RMK AO2 SLP164 T01830111')
    expect(taf).toBe('TAF KHWD 211930Z 2120/2220 28008KT P6SM FEW015 FM220200 26005KT 5SM BR BKN012')
    expect(readMetar(metar!, NOW)?.observedAt).toEqual(new Date('2026-11-21T19:54:00Z'))
    expect(readTaf(taf!, NOW)?.periods).toHaveLength(2)
  })

  test('are missing for a station that it does not know', async () => {
    expect(await client(apiBase).latest('KZZZ')).toEqual({ metar: null, taf: null })
  })

  test('are refused to who asks in another way', async () => {
    const statusOf = async (path: string, agent = 'tests') =>
      (await fetch(`${apiBase}${path}`, { headers: { 'user-agent': agent } })).status
    expect(await statusOf('/api/data/metar?ids=KHWD&format=json')).toBe(200)
    expect(await statusOf('/api/data/metar?ids=KHWD')).toBe(400)
    expect(await statusOf('/api/data/taf?ids=khwd&format=json')).toBe(400)
    expect(await statusOf('/api/data/taf?ids=KHWD&format=json&hours=2')).toBe(400)
    expect(await statusOf('/api/data/metar?ids=KHWD&format=json', '')).toBe(403)
  })
})

describe('a source', () => {
  const report = { icaoId: 'KHWD', rawOb: 'METAR KHWD 211954Z 28008KT 10SM CLR 18/11 A3002', obsTime: 1795291200 }
  const answers: Record<string, (app: FastifyInstance) => void> = {
    'answers 500': (app) => app.get('/api/data/*', async (_, reply) => reply.code(500).send('no')),
    'answers 429': (app) => app.get('/api/data/*', async (_, reply) => reply.code(429).send('no')),
    'answers another shape': (app) => app.get('/api/data/*', async () => ({ data: [] })),
    'answers no JSON': (app) => app.get('/api/data/*', async (_, reply) => reply.type('text/html').send('<html>')),
    'answers more than 256 kB': (app) => app.get('/api/data/*', async () => [{ ...report, more: 'x'.repeat(262_144) }]),
    'answers control characters': (app) =>
      app.get('/api/data/*', async () => [{ ...report, rawOb: 'METAR \u0007 KHWD' }]),
    'sends somebody elsewhere': (app) => app.get('/api/data/*', async (_, reply) => reply.redirect('/elsewhere')),
    'answers nothing in time': (app) => app.get('/api/data/*', () => new Promise(() => undefined)),
  }
  test.each(Object.keys(answers))('that %s is unavailable', async (name) => {
    const app = fastify({ forceCloseConnections: true })
    answers[name]!(app)
    await expect(client(await listening(app)).latest('KHWD')).rejects.toBeInstanceOf(WeatherUnavailable)
  })

  test('that nobody listens at is unavailable', async () => {
    await expect(client('http://127.0.0.1:9').latest('KHWD')).rejects.toBeInstanceOf(WeatherUnavailable)
  })

  test('of several reports gives the newest of the station alone', async () => {
    const app = fastify()
    const older = { ...report, obsTime: report.obsTime - 3600, rawOb: `${report.rawOb} RMK OLD` }
    const other = { ...report, icaoId: 'KOAK', obsTime: report.obsTime + 3600, rawOb: 'METAR KOAK 211954Z 00000KT' }
    app.get('/api/data/metar', async () => [older, report, other])
    app.get('/api/data/taf', async (_, reply) => reply.code(204).send())
    expect(await client(await listening(app)).latest('KHWD')).toEqual({ metar: report.rawOb, taf: null })
  })

  test('is there when its address is set', () => {
    expect(openWeather({ WEATHER_API_BASE: undefined, WEATHER_USER_AGENT: undefined })).toBe(null)
    expect(openWeather({ WEATHER_API_BASE: 'https://aviationweather.gov', WEATHER_USER_AGENT: undefined })).not.toBe(
      null,
    )
    expect(() => openWeather({ WEATHER_API_BASE: 'ftp://x', WEATHER_USER_AGENT: undefined })).toThrow(
      'WEATHER_API_BASE',
    )
  })
})
